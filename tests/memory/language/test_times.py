import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.memory.errors import BadInput
from veridical.memory.language.times import find_times, local_day

SHANGHAI = "Asia/Shanghai"
WEDNESDAY = datetime(2024, 5, 8, 10, 30, tzinfo=ZoneInfo(SHANGHAI))
FIRST, LAST = datetime(1, 1, 3), datetime(9999, 12, 28)  # noqa: DTZ001 - the strategy adds the zone
ANY_TEXT = st.text(st.characters(), max_size=80)
PIECES = [
    "昨天",
    "周",
    "三",
    "下午",
    "3",
    "点",
    "半",
    "月",
    "日",
    "年",
    "前",
    "后",
    "上",
    "last ",
    "next ",
    "friday ",
    "may ",
    "8 ",
    "2023",
    "-",
    ":",
    "pm",
    " ",
    "ago",
    "days ",
]
TIME_SOUP = st.lists(st.sampled_from([*PIECES, "9999", "\ud800", "²"]), max_size=10).map("".join)


def read(text: str, reference: datetime = WEDNESDAY, time_zone: str = SHANGHAI) -> list[tuple[str, str, str]]:
    """Text, first day (with the hour where there is one) and last instant's day of every expression."""
    found = []
    for expression in find_times(text, reference, time_zone):
        start, last = expression.start, expression.end - timedelta(microseconds=1)
        fine = expression.grain in ("minute", "hour")
        shape = "%Y-%m-%d %H:%M" if fine else "%Y-%m-%d"
        found.append((expression.text, start.strftime(shape), last.strftime(shape)))
    return found


@pytest.mark.requirement("SPANS-EXACT")
@given(
    ANY_TEXT | TIME_SOUP,
    st.datetimes(FIRST, LAST, timezones=st.just(UTC)),
    st.sampled_from([SHANGHAI, "America/New_York", "UTC"]),
)
def test_expressions_are_ordered_slices_with_aware_ranges(text: str, reference: datetime, time_zone: str) -> None:
    end = 0
    for expression in find_times(text, reference, time_zone):
        assert text[expression.span.start : expression.span.end] == expression.text
        assert expression.span.start >= end
        assert expression.start < expression.end
        assert expression.start.tzinfo is not None
        end = expression.span.end


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("昨天", "2024-05-07"), ("前天", "2024-05-06"), ("大前天", "2024-05-05"), ("今天", "2024-05-08"), ("明天", "2024-05-09"), ("后天", "2024-05-10"),
        ("yesterday", "2024-05-07"), ("today", "2024-05-08"), ("tomorrow", "2024-05-09"), ("the day before yesterday", "2024-05-06"), ("the day after tomorrow", "2024-05-10"),
        ("三天前", "2024-05-05"), ("3天后", "2024-05-11"), ("in two days", "2024-05-10"), ("three days ago", "2024-05-05"), ("两周后", "2024-05-22"), ("in two weeks", "2024-05-22"),
        ("上周三", "2024-05-01"), ("下周五", "2024-05-17"), ("这周五", "2024-05-10"), ("上上周五", "2024-04-26"), ("星期五", "2024-05-10"), ("礼拜天", "2024-05-12"), ("上个星期天", "2024-05-05"),
        ("last Tuesday", "2024-05-07"), ("last Wednesday", "2024-05-01"), ("next Friday", "2024-05-17"), ("this Friday", "2024-05-10"), ("on Friday", "2024-05-10"),
        ("Tuesday of last week", "2024-04-30"), ("I met her on Friday", "2024-05-03"), ("I want it picked up on Friday", "2024-05-10"),
        ("2023-05-08", "2023-05-08"), ("2023年5月8日", "2023-05-08"), ("二〇二三年五月八号", "2023-05-08"), ("8 May 2023", "2023-05-08"), ("May 8th, 2023", "2023-05-08"),
        ("5月8日", "2024-05-08"), ("去年12月25日", "2023-12-25"), ("下个月15号", "2024-06-15"), ("15号", "2024-05-15"), ("on the 15th", "2024-05-15"), ("Monday, 8 May 2023", "2023-05-08"),
        ("5月10日（周五）", "2024-05-10"), ("Christmas", "2024-12-25"), ("last Christmas", "2023-12-25"), ("今年国庆节", "2024-10-01"),
    ],
)  # fmt: skip
def test_a_day_is_resolved_against_the_moment_of_speech(text: str, day: str) -> None:
    assert [(start, end) for _, start, end in read(text)] == [(day, day)]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("上周", "2024-04-29", "2024-05-05"), ("this week", "2024-05-06", "2024-05-12"), ("下周", "2024-05-13", "2024-05-19"), ("the week before last", "2024-04-22", "2024-04-28"),
        ("two weeks ago", "2024-04-22", "2024-04-28"), ("三周前", "2024-04-15", "2024-04-21"), ("last weekend", "2024-05-04", "2024-05-05"), ("周末", "2024-05-11", "2024-05-12"), ("上个周末", "2024-05-04", "2024-05-05"),
        ("上个月", "2024-04-01", "2024-04-30"), ("next month", "2024-06-01", "2024-06-30"), ("三个月前", "2024-02-01", "2024-02-29"), ("半年前", "2023-11-01", "2023-11-30"),
        ("月底", "2024-05-25", "2024-05-31"), ("下月初", "2024-06-01", "2024-06-10"), ("end of the month", "2024-05-25", "2024-05-31"), ("五月中旬", "2024-05-11", "2024-05-20"), ("end of next month", "2024-06-25", "2024-06-30"),
        ("年底", "2024-12-01", "2024-12-31"), ("2023年底", "2023-12-01", "2023-12-31"), ("by the end of the year", "2024-12-01", "2024-12-31"),
        ("去年", "2023-01-01", "2023-12-31"), ("next year", "2025-01-01", "2025-12-31"), ("in 2022", "2022-01-01", "2022-12-31"), ("2021年", "2021-01-01", "2021-12-31"), ("ten years ago", "2014-01-01", "2014-12-31"),
        ("in May", "2024-05-01", "2024-05-31"), ("May 2023", "2023-05-01", "2023-05-31"), ("明年3月", "2025-03-01", "2025-03-31"), ("last December", "2023-12-01", "2023-12-31"),
        ("Q3 2023", "2023-07-01", "2023-09-30"), ("上季度", "2024-01-01", "2024-03-31"), ("第三季度", "2024-07-01", "2024-09-30"), ("last quarter", "2024-01-01", "2024-03-31"),
        ("last summer", "2023-06-01", "2023-08-31"), ("去年夏天", "2023-06-01", "2023-08-31"),
        ("最近三天", "2024-05-05", "2024-05-08"), ("the past two weeks", "2024-04-24", "2024-05-08"), ("未来两天", "2024-05-08", "2024-05-10"), ("within 3 days", "2024-05-08", "2024-05-11"),
        ("from May 3 to May 8", "2024-05-03", "2024-05-08"), ("周一到周三", "2024-05-13", "2024-05-15"), ("between 2020 and 2022", "2020-01-01", "2022-12-31"), ("10月1日至7日", "2024-10-01", "2024-10-07"), ("周五到周一", "2024-05-10", "2024-05-13"),
        ("2019年以来", "2019-01-01", "2019-12-31"), ("the year before last", "2022-01-01", "2022-12-31"), ("mid-2022", "2022-06-01", "2022-07-31"), ("by end of week", "2024-05-10", "2024-05-12"),
    ],
)  # fmt: skip
def test_longer_periods_are_whole_and_half_open(text: str, first: str, last: str) -> None:
    assert [(start, end) for _, start, end in read(text)] == [(first, last)]


@pytest.mark.parametrize(
    ("text", "whole", "start"),
    [
        ("明天下午三点开会", "明天下午三点", "2024-05-09 15:00"),
        ("下午3点", "下午3点", "2024-05-08 15:00"),
        ("周五下午三点半", "周五下午三点半", "2024-05-10 15:30"),
        ("5月10日（周五）下午2点", "5月10日（周五）下午2点", "2024-05-10 14:00"),
        ("明晚8点", "明晚8点", "2024-05-09 20:00"),
        ("今天 15:30", "今天 15:30", "2024-05-08 15:30"),
        ("call the client at 3 pm", "3 pm", "2024-05-08 15:00"),
        ("tomorrow at 3", "tomorrow at 3", "2024-05-09 15:00"),
        ("3pm on Friday", "3pm on Friday", "2024-05-10 15:00"),
        ("1:56 pm on 8 May, 2023", "1:56 pm on 8 May, 2023", "2023-05-08 13:56"),
        ("noon", "noon", "2024-05-08 12:00"),
        ("last night at 2", "last night at 2", "2024-05-08 02:00"),
        ("十分钟后", "十分钟后", "2024-05-08 10:40"),
        ("in half an hour", "in half an hour", "2024-05-08 11:00"),
        ("2024-06-01T09:15", "2024-06-01T09:15", "2024-06-01 09:15"),
        ("明天早上", "明天早上", "2024-05-09 05:00"),
        ("昨晚", "昨晚", "2024-05-07 18:00"),
        ("this morning", "this morning", "2024-05-08 05:00"),
    ],
)
def test_a_date_and_a_clock_time_beside_it_are_one_expression(text: str, whole: str, start: str) -> None:
    assert [(found, begin) for found, begin, _ in read(text)] == [(whole, start)]


@pytest.mark.parametrize(
    "text",
    [
        "I may go", "march on", "the sun rose", "he sat down", "三年级", "5号楼", "3号线", "每周五", "20 people in 2000 rooms", "2024 tokens", "日本", "有三点建议", "一点都不",
        "9999年后", "apple pie", "苹果食谱", "版本2.1", "INV-2024-001", "她属猴", "两个月饼", "every Friday", "second opinion",
    ],
)  # fmt: skip
def test_words_that_only_look_like_times_are_none(text: str) -> None:
    assert read(text) == []


@pytest.mark.requirement("C19")
@pytest.mark.parametrize("text", ["上周去了北京", "Last week I went to Beijing."])
def test_a_relative_time_is_reckoned_from_when_it_was_said(text: str) -> None:
    said = datetime(2024, 3, 6, 12, tzinfo=UTC)
    assert [(start, end) for _, start, end in read(text, said)] == [("2024-02-26", "2024-03-03")]


@pytest.mark.requirement("C21")
def test_yesterday_is_bounded_by_the_midnights_of_the_users_zone() -> None:
    said = datetime(2024, 5, 8, 17, tzinfo=UTC)  # already the ninth in Shanghai, still the eighth in London
    (in_shanghai,) = find_times("昨天", said, SHANGHAI)
    (in_london,) = find_times("昨天", said, "Europe/London")
    assert in_shanghai.start == datetime(2024, 5, 7, 16, tzinfo=UTC)
    assert in_shanghai.end == datetime(2024, 5, 8, 16, tzinfo=UTC)
    assert in_london.start == datetime(2024, 5, 6, 23, tzinfo=UTC)


def test_a_day_at_the_change_of_the_clocks_still_begins_and_ends_at_midnight() -> None:
    start, end = local_day(datetime(2024, 3, 31, 12, tzinfo=UTC), "Europe/Berlin")
    assert end.astimezone(UTC) - start.astimezone(UTC) == timedelta(hours=23)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I saw him on December 1", "2023-12-01"),
        ("12月1日去了北京", "2023-12-01"),
        ("the deadline is March 3", "2025-03-03"),
        ("提醒我3月3日交报告", "2025-03-03"),
    ],
)
def test_the_tense_chooses_the_year_of_a_date_without_one(text: str, day: str) -> None:
    assert [start for _, start, _ in read(text)] == [day]


def test_a_naive_reference_and_an_unknown_zone_are_clear_errors() -> None:
    with pytest.raises(BadInput, match="time zone"):
        find_times("昨天", datetime(2024, 5, 8), SHANGHAI)  # noqa: DTZ001 - the error is the point
    with pytest.raises(BadInput, match="IANA"):
        find_times("昨天", WEDNESDAY, "Mars/Olympus")


@pytest.mark.parametrize("text", ["1" * 5_000, "周" * 5_000, "last " * 2_000, "2023-" * 2_000, "三天前" * 500])
def test_degenerate_texts_are_read_in_reasonable_time(text: str) -> None:
    begin = time.process_time()
    find_times(text, WEDNESDAY, SHANGHAI)
    assert time.process_time() - begin < 5


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("明天上午10点到11点", "05-09 10:00", "05-09 11:00"),
        ("from 9am to 5pm", "05-08 09:00", "05-08 17:00"),
        ("9:00-17:00", "05-08 09:00", "05-08 17:00"),
        ("周五晚上8点到10点", "05-10 20:00", "05-10 22:00"),
        ("11pm to 1am", "05-08 23:00", "05-09 01:00"),
    ],
)
def test_two_clock_times_with_a_connector_are_one_range(text: str, start: str, end: str) -> None:
    (found,) = find_times(text, WEDNESDAY, SHANGHAI)
    assert (found.start.strftime("%m-%d %H:%M"), found.end.strftime("%m-%d %H:%M"), found.grain) == (
        start,
        end,
        "range",
    )
