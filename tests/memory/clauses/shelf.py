"""A shelf of documents with their versions, and questions asked of it: no text is needed to know what is meant."""

from datetime import UTC, datetime

from veridical.memory.clauses.asking import read
from veridical.memory.clauses.condition import Condition
from veridical.memory.clauses.editions import Editions
from veridical.memory.clauses.lookup import resolve
from veridical.memory.clauses.rows import Family
from veridical.memory.knowledge.rows import Document

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def day(year: int, month: int = 1, date: int = 1) -> datetime:
    return datetime(year, month, date, tzinfo=UTC)


def version(
    number: int, key: str, name: str, title: str, label: str, since: datetime, until: datetime | None, kind: str
) -> Document:
    return Document(
        user_id="ann",
        number=number,
        name=name,
        version=number,
        origin="file",
        sha256=str(number),
        media_type="text/markdown",
        language="en",
        valid_from=since,
        valid_to=until,
        recorded_at=day(2026),
        closed_at=None if until is None else day(2026),
        removed_at=None,
        key=key,
        title=title,
        label=label,
        entity_type=kind,
        dated_by="name",
        stated_to=None,
    )


A1 = version(1, "CONTRACT_A", "contract_a.md", "Contract A", "v1.0", day(2024), day(2025), "contract")
A2 = version(2, "CONTRACT_A", "contract_a.md", "Contract A", "v2.1", day(2025), None, "contract")
B1 = version(3, "CONTRACT_B", "contract_b.md", "Contract B", "v1.0", day(2024), None, "contract")
LEASE = version(4, "LEASE", "lease.md", "Residential Lease Agreement", "", day(2024), None, "contract")
K1 = version(5, "会计法", "会计法(2017-11-04).md", "会计法", "2017-11-04", day(2017, 11, 5), day(2024, 7, 1), "statute")
K2 = version(6, "会计法", "会计法(2024-06-28).md", "会计法", "2024-06-28", day(2024, 7, 1), None, "statute")
CONSUMERS = version(
    7, "消费者权益保护法", "消法.md", "中华人民共和国消费者权益保护法", "2013-10-25", day(2014), None, "statute"
)
POLICY = version(8, "POLICY_CANCELLATION", "cancellation.md", "Cancellation policy", "", day(2020), None, "policy")
SHELF = (
    Family("CONTRACT_A", (A1, A2)),
    Family("CONTRACT_B", (B1,)),
    Family("LEASE", (LEASE,)),
    Family("会计法", (K1, K2)),
    Family("消费者权益保护法", (CONSUMERS,)),
    Family("POLICY_CANCELLATION", (POLICY,)),
)
ONE = SHELF[:1]


def asked(
    text: str, focus: Condition | None = None, shelf: tuple[Family, ...] = SHELF, as_of: datetime = NOW
) -> Condition | None:
    """The condition that a question comes to."""
    words = read(text, NOW, "UTC")
    return None if words is None else resolve(words, shelf, Editions(as_of, NOW), focus)


def shown(condition: Condition | None) -> str:
    """What a condition says in one line: wish, documents, numbers, trouble."""
    if condition is None:
        return "-"
    numbers = [
        one.at.text
        + (f"-{one.last}" if one.last else "")
        + (f" p{one.paragraph}" if one.paragraph else "")
        + (f" i{one.item}" if one.item else "")
        for one in condition.numbers
    ]
    parts = [condition.wants, "+".join(map(str, condition.documents)), ",".join(numbers), condition.trouble or ""]
    return " | ".join(parts).rstrip(" |")
