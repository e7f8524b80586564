"""Chinese questions are taken apart into words, and what only points or counts is no word of theirs."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from veridical.memory.language.segmenting import is_word, place_names, segment
from veridical.memory.language.tokens import content_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("给大白洗澡的店员", ["大白", "洗澡", "店员"]),
        ("我妹别针放哪儿", ["妹", "别针", "放"]),
        ("我的厂每周停电几次", ["厂", "停电"]),
        ("那顿饭", ["饭"]),
        ("那套茶具", ["茶具"]),
        ("一门新课", ["新课"]),
        ("老周走后", ["老周", "走"]),
        ("哪天喝的果汁", ["喝", "果汁"]),
        ("套房和本田", ["套房", "本田"]),
        ("旅行的目的", ["旅行", "目的"]),
        ("搬完家", ["搬", "家"]),
        ("C盘满了", ["c盘", "满"]),
        ("那套茶具和那頓飯", ["茶具", "饭"]),
        ("the tea set", ["tea", "set"]),
    ],
)
def test_words_do_not_run_across_their_borders(text, words):
    assert content_words(text) == words


def test_words_of_ones_own_stay_whole_and_are_known():
    assert segment("换了云顶阁的锁", {"云顶阁"}) == ["换", "了", "云顶阁", "的", "锁"]
    assert is_word("洗澡", ())
    assert not is_word("云顶阁锁", {"云顶阁"})


def test_threads_may_cut_at_the_same_time():
    texts = ["给大白洗澡的店员", "我的厂每周停电几次", "那套茶具多少钱"] * 40
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(content_words, texts)) == [content_words(text) for text in texts]


def test_places_are_known_by_their_names():
    assert place_names("聚会定了，莫干山，五月去") == {"莫干山"}
    assert place_names("晚上吃了火锅") == frozenset()
    assert place_names("the lake") == frozenset()
