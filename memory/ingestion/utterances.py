"""What every reader yields, and how it becomes a turn of the log."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..errors import BadFile, UnknownZone
from ..extraction.acts import classify_act
from ..language.folding import clean, detect_language
from ..records import NewTurn

# A time stamp may give an offset and no place. Whole hours have IANA names of their own; these are the other offsets
# in use, in minutes, by a place that keeps no summer time.
_PLACES_OF_OFFSETS = {
    210: "Asia/Tehran",
    270: "Asia/Kabul",
    330: "Asia/Kolkata",
    345: "Asia/Kathmandu",
    390: "Asia/Yangon",
    525: "Australia/Eucla",
    570: "Australia/Darwin",
}


LONGEST_TURN = 200_000
"""Characters of one turn; a longer one is a document."""


def too_long(length: int) -> str:
    """What is wrong with a turn of that many characters, and what to do."""
    return (
        f"The message has {length:,} characters, more than the {LONGEST_TURN:,} that a turn may have: "
        "send less at once, or add it as a document with `veridical knowledge add`."
    )


@dataclass(frozen=True, slots=True)
class Utterance:
    """One utterance of a file, as it stands there."""

    session_id: str
    external_id: str
    speaker: str
    text: str
    observed_at: datetime
    """Aware; in the zone that the file gives it, or in the one of the import."""
    time_zone: str
    """IANA name of the zone in which the utterance's relative times are meant."""
    spoken_by_assistant: bool = False

    def __post_init__(self) -> None:
        """Raise BadFile where the text is longer than a turn may be, whichever reader found it."""
        if len(self.text) > LONGEST_TURN:
            message = (
                f"Turn {self.external_id[:80]!r} of session {self.session_id[:80]!r} has {len(self.text):,} "
                f"characters, more than the {LONGEST_TURN:,} that a turn may have: split it, or add it as a document "
                "with `veridical knowledge add`."
            )
            raise BadFile(message)


def as_turns(utterances: Iterable[Utterance], user_id: str) -> Iterator[NewTurn]:
    """Turn utterances into turns of ``user_id``'s log, one by one and in order.

    The source follows the speaker that the file names, never what a text says of itself.
    """
    for utterance in utterances:
        text = clean(utterance.text)
        language = detect_language(text)
        yield NewTurn(
            user_id=user_id,
            session_id=clean(utterance.session_id),
            external_id=clean(utterance.external_id),
            role="assistant" if utterance.spoken_by_assistant else "user",
            source="ai_generated" if utterance.spoken_by_assistant else "user_input",
            speaker=clean(utterance.speaker),
            text=text,
            language=language,
            observed_at=utterance.observed_at.astimezone(UTC),
            time_zone=utterance.time_zone,
            act=classify_act(text, language),
        )


def find_zone(name: str) -> ZoneInfo:
    """The time zone of an IANA name.

    Raises:
        UnknownZone: there is no zone of that name.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UnknownZone(name) from error


def zone_of_offset(offset: tzinfo | None, moment: datetime) -> str:
    """An IANA name for a fixed offset: relative times of a time stamp that gives one are meant in it."""
    if not isinstance(offset, timezone):
        return "UTC"
    minutes = offset.utcoffset(moment) // timedelta(minutes=1)
    if minutes == 0:
        return "UTC"
    if minutes % 60 == 0 and -12 <= minutes // 60 <= 14:
        return f"Etc/GMT{-minutes // 60:+d}"  # these names count westwards
    return _PLACES_OF_OFFSETS.get(minutes, "UTC")
