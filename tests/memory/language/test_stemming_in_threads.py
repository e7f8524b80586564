"""The stemmer is one object for all threads; its words are not mixed up."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product

from veridical.memory.language.tokens import stem

WORDS = [
    "".join(parts) for parts in product(("re", "un", "over"), ("nation", "govern", "hop"), ("ings", "ization", "fully"))
]


def test_eight_threads_stem_as_one_does() -> None:
    def all_stems(_: int) -> list[str]:
        stem.cache_clear()
        return [stem(word) for word in WORDS * 20]

    expected = all_stems(0)
    with ThreadPoolExecutor(8) as pool:
        assert all(stems == expected for stems in pool.map(all_stems, range(16)))
