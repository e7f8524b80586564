"""A condition as the trace of an answer has it: plain JSON, from which a follow-up reads what was spoken of."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from .condition import WANTS, AskedNumber, AskedVersion, Condition
from .records import ClauseNumber

Json = dict[str, Any]


def condition_document(condition: Condition) -> Json:
    """What a condition says; parts that say nothing are left out."""
    document: Json = {"wants": condition.wants}
    for name in ("keys", "documents", "category", "topic", "rest", "trouble", "said", "candidates"):
        value = getattr(condition, name)
        if value:
            document[name] = list(value) if isinstance(value, tuple) else value
    if condition.numbers:
        document["numbers"] = [_number_document(number) for number in condition.numbers]
    if condition.versions:
        document["versions"] = [_version_document(version) for version in condition.versions]
    return document


def condition_from(document: Json) -> Condition | None:
    """The condition that a trace holds; ``None`` where it holds none that can be read."""
    if document.get("wants") not in WANTS:
        return None
    return Condition(
        wants=document["wants"],
        keys=tuple(document.get("keys", ())),
        documents=tuple(document.get("documents", ())),
        numbers=tuple(_number_from(number) for number in document.get("numbers", ())),
        versions=tuple(_version_from(version) for version in document.get("versions", ())),
        category=document.get("category"),
        topic=tuple(document.get("topic", ())),
        rest=document.get("rest", False),
        trouble=document.get("trouble"),
        said=document.get("said", ""),
        candidates=tuple(document.get("candidates", ())),
    )


def restored(condition: Condition) -> Condition:
    """A condition as it was before a checkpoint, which gives lists for tuples."""
    return condition_from(condition_document(condition)) or condition


def _number_document(number: AskedNumber) -> Json:
    """A number with its parts; ``number`` is how ids write it."""
    at = ClauseNumber(tuple(number.at[0]), number.at[1])
    document = {"number": at.text, "parts": list(at.parts), "inserted": at.inserted}
    further = {"paragraph": number.paragraph, "item": number.item, "last": number.last, "said": number.said}
    return document | {name: value for name, value in further.items() if value}


def _number_from(document: Json) -> AskedNumber:
    at = ClauseNumber(tuple(document["parts"]), document["inserted"])
    further = {name: document[name] for name in ("paragraph", "item", "last", "said") if name in document}
    return AskedNumber(at, **further)


def _version_document(version: AskedVersion) -> Json:
    document = {name: value for name, value in asdict(version).items() if value}
    for name in ("edition", "held"):
        if name in document:
            document[name] = [moment.isoformat() for moment in document[name]]
    return document


def _version_from(document: Json) -> AskedVersion:
    times = {
        name: tuple(datetime.fromisoformat(moment) for moment in document[name])
        for name in ("edition", "held")
        if name in document
    }
    further: Json = document | times
    return AskedVersion(**further)
