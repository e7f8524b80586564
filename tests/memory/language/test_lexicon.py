import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.memory.language import resources
from veridical.memory.language.lexicon import (
    attribute_key,
    attribute_phrases,
    cue,
    find_attributes,
    is_single_valued,
    synonyms,
)

ANY_TEXT = st.text(st.characters(), max_size=80)


@pytest.mark.requirement("C41")
@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("预算", "费用"), ("预算", "成本"), ("预算", "金额"), ("预算", "budget"), ("budget", "cost"), ("budget", "price"), ("budget", "预算"), ("pricey", "expensive"),
        ("老婆", "妻子"), ("老婆", "wife"), ("大夫", "医生"), ("doctor", "大夫"), ("car", "汽车"), ("purchase", "buy"), ("kids", "child"), ("預算", "费用"),
        ("购买", "买"), ("开会", "meeting"), ("截止", "deadline"), ("公司", "employer"),
    ],
)  # fmt: skip
def test_words_of_one_meaning_find_each_other_across_registers_and_languages(word: str, found: str) -> None:
    assert found in synonyms(word)


@given(ANY_TEXT)
def test_an_unknown_word_has_no_synonyms_and_no_word_is_its_own(text: str) -> None:
    assert text not in synonyms(text)


def test_the_stem_finds_what_the_word_finds() -> None:
    assert synonyms("expens") >= {"costly"}
    assert synonyms("purchas") >= {"buy"}


@pytest.mark.parametrize(
    ("phrases", "key"),
    [
        (["favourite colour", "favorite color", "my favourite colour", "最喜欢的颜色", "我最喜欢的颜色", "最爱的颜色", "Favorite Colours", "最喜歡的顏色"], "favorite_color"),
        (["favorite kind of music", "最爱听的音乐", "favourite music"], "favorite_music"),
        (["最喜欢吃的水果", "favorite fruit"], "favorite_fruit"),
        (["budget", "the budget", "cost", "预算", "费用", "总预算", "my budget", "預算"], "budget"),
        (["name", "full name", "名字", "姓名", "my name"], "name"),
        (["花名", "nickname", "昵称"], "nickname"),
        (["project manager", "项目经理", "項目經理"], "project_manager"),
        (["phone number", "手机号", "mobile number", "电话"], "phone"),
        (["e-mail address", "email", "邮箱"], "email"),
        (["deadline", "due date", "截止日期"], "deadline"),
        (["date of birth", "birthday", "生日"], "birthday"),
        (["database", "db", "数据库", "Databases"], "database"),
        (["blood type", "血型"], "blood_type"),
        (["wife", "老婆", "husband"], "spouse"),
        (["employer", "公司", "company"], "employer"),
    ],
)  # fmt: skip
def test_phrases_for_one_attribute_share_its_key(phrases: list[str], key: str) -> None:
    assert {attribute_key(phrase) for phrase in phrases} == {key}


@pytest.mark.parametrize(
    ("phrase", "key"),
    [
        ("battery life", "battery_life"),
        ("name of my dog", "dog_name"),
        ("my dog's name", "dog_name"),
        ("续航", "续航"),
        ("favorite tree", "favorite_tree"),
        ("电池 续航", "电池_续航"),
    ],
)
def test_an_unknown_phrase_is_its_own_readable_key(phrase: str, key: str) -> None:
    assert attribute_key(phrase) == key


@given(ANY_TEXT)
def test_any_phrase_has_a_key_and_keys_are_stable(text: str) -> None:
    assert attribute_key(text) == attribute_key(text)


@pytest.mark.parametrize(
    "key",
    [
        "name",
        "age",
        "home",
        "employer",
        "budget",
        "deadline",
        "phone",
        "database",
        "favorite_color",
        "favorite_tree",
        "wedding_budget",
        "password_hint",
        "version",
        "port",
        "status",
    ],
)
def test_attributes_of_one_value_are_single(key: str) -> None:
    assert is_single_valued(key)


@pytest.mark.parametrize("key", ["hobby", "allergies", "son", "pet", "likes", "battery_life", "dog_name", "friend"])
def test_other_attributes_are_many_valued(key: str) -> None:
    assert not is_single_valued(key)


def test_the_table_of_attributes_is_large_and_bilingual() -> None:
    table = resources.load("attributes")["attributes"]
    assert len(table) >= 80
    assert all(entry["en"] and entry["zh"] for entry in table.values())
    assert len(resources.load("synonyms")["groups"]) >= 150


def test_every_phrase_of_an_attribute_leads_back_to_an_attribute() -> None:
    table = resources.load("attributes")["attributes"]
    assert all(attribute_key(phrase) in table for key in table for phrase in attribute_phrases(key))


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("What is Apollo's budget?", ["budget"]),
        ("Who is its project manager?", ["project_manager"]),
        ("我最喜欢的颜色是蓝色", ["favorite_color"]),
        ("项目经理的电话号码", ["project_manager", "phone"]),
        ("my favourite colour is red", ["favorite_color"]),
    ],
)
def test_attributes_are_found_in_a_text(text: str, keys: list[str]) -> None:
    assert [mention.key for mention in find_attributes(text)] == keys


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("leave", "谢谢"), ("leave", "再见！"), ("leave", "thanks, bye"), ("leave", "Good night"),
        ("decision", "我们决定用方案B"), ("decision", "那就这么定了"), ("decision", "let's go with plan B"), ("decision", "We agreed on 5k"), ("decision", "總結一下"),
        ("change", "改用 MySQL 了"), ("change", "改成周五"), ("change", "I no longer work there"), ("change", "we switched to Rust"), ("change", "She moved to Paris"), ("change", "我不再喝咖啡"),
        ("correction", "不对，是52,000"), ("correction", "That's wrong, it is 52,000"), ("correction", "I meant Tuesday"), ("correction", "no, it was my parser"), ("correction", "我说错了"),
        ("hypothesis", "maybe it's the DB"), ("hypothesis", "我可能下周去"), ("hypothesis", "如果下雨"), ("hypothesis", "I may travel next week"), ("hypothesis", "I might buy it"),
        ("negation", "我不喜欢咖啡"), ("negation", "没有预算"), ("negation", "I don't like tea"), ("negation", "never again"), ("negation", "客户拒绝了"), ("negation", "I hate it"), ("negation", "no sugar for me"),
        ("small_talk", "今天天气真好"), ("small_talk", "nice weather today"), ("small_talk", "how are you"),
        ("greeting", "你好"), ("greeting", "Hi there"), ("greeting", "早上好"),
        ("question", "预算是多少"), ("question", "What is it"), ("question", "去不去"), ("question", "is he here"), ("question", "他是谁"), ("question", "really?"),
        ("todo", "提醒我给客户打电话"), ("todo", "记得发邮件"), ("todo", "I need to call"), ("todo", "remind me to pay"), ("todo", "下午要给客户打电话"),
        ("done", "电话打完了"), ("done", "I finished it"), ("done", "第一件做完了"), ("done", "done"),
        ("order", "为什么选C"), ("order", "why did we choose C"), ("order", "先后顺序"),
        ("list", "有哪些"), ("list", "list all of them"),
        ("history", "之前呢"), ("history", "before that?"), ("history", "I used to live there"),
        ("hedge", "大概五万"), ("hedge", "about 50 people"), ("affirmation", "好的"), ("affirmation", "yes"), ("forget", "forget that"), ("agent_blame", "你记错了"),
        ("agent_blame", "that's not what I said"), ("request", "帮我查一下"),
    ],
)  # fmt: skip
def test_a_cue_is_recognised(kind: str, text: str) -> None:
    assert cue(text, kind)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("leave", "thanks to him we won"), ("decision", "我还没决定"), ("decision", "you haven't decided"), ("decision", "a great deal of work"), ("change", "I know it"), ("change", "找零钱"),
        ("hypothesis", "不可能"), ("hypothesis", "in May"), ("hypothesis", "on 8 May"), ("negation", "别人的车"), ("negation", "不过很好"), ("negation", "特别喜欢"), ("negation", "非常好"), ("negation", "差不多"),
        ("negation", "no problem"), ("negation", "别忘了"), ("negation", "对不起"), ("greeting", "in the morning"), ("greeting", "他你好像见过"), ("todo", "申请已经交了"), ("todo", "还记得吗"),
        ("done", "还没做完"), ("done", "it is not done"), ("done", "well done"), ("question", "I am here"), ("question", "我喜欢咖啡"), ("hedge", "违约金"), ("hedge", "预约"), ("history", "三天之前"), ("history", "12 years old"),
        ("small_talk", "预算是五万"), ("correction", "我是对的"), ("correction", "the budget is 5k"),
    ],
)  # fmt: skip
def test_a_look_alike_is_no_cue(kind: str, text: str) -> None:
    assert not cue(text, kind)


def test_every_word_of_the_cues_is_text() -> None:
    """YAML reads a bare ``no``, ``on`` or ``yes`` as true or false."""
    words = [word for entry in resources.load("cues").values() for phrases in entry.values() for word in phrases]
    assert {type(word) for word in words} == {str}


@given(ANY_TEXT, st.sampled_from(sorted(resources.load("cues"))))
def test_cues_are_ordered_spans_of_the_text(text: str, kind: str) -> None:
    end = 0
    for span in cue(text, kind):
        assert end <= span.start < span.end <= len(text)
        end = span.end


def test_an_unknown_kind_of_cue_is_named_in_the_error() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        cue("text", "nonsense")
