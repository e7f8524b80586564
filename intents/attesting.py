"""What a reply about errands claims, set against the turns that it cites and against what the machine recorded.

The verifier of answers proves what it can quote. The name of a state stands in no turn: it is the machine's own record
that bears it out. So the quotations of a reply are checked as those of any answer, and its own words may hold, besides
what the machine recorded of the turns that it cites, no value, no time and no name.
"""

from collections.abc import Collection, Mapping, Sequence

from ..memory.calibration.parsing import capitalised_names
from ..memory.grounding.checks.quotations import check_quotation
from ..memory.grounding.claims import Assertion, split
from ..memory.language.folding import fold
from ..memory.language.values import find_values
from ..memory.records import Claim, Turn


def attest(text: str, turns: Mapping[int, Turn], recorded: Collection[str]) -> list[Claim]:
    """The claims of a reply with their verdicts.

    Args:
        text: The reply.
        turns: The turns that it may cite, by number.
        recorded: What the machine recorded: names of entities, states, steps and slots, values, dates, todos.
    """
    known = {turn.id: turn for turn in turns.values()}
    longest_first = sorted({fold(one) for one in recorded if one}, key=len, reverse=True)
    return [_claim(assertion, known, longest_first) for assertion in split(text)]


def _claim(assertion: Assertion, known: Mapping[str, Turn], recorded: Sequence[str]) -> Claim:
    ids = tuple(dict.fromkeys(assertion.cited))
    unknown = [cited for cited in ids if cited not in known]
    if unknown:
        return Claim(assertion.text, "unsupported", (), f"{', '.join(unknown)} is no evidence")
    cited = [known[one] for one in ids]
    for quote in assertion.quotes:
        fault = check_quotation(quote, cited or list(known.values()))
        if fault is not None:
            return Claim(assertion.text, fault.verdict, ids, fault.reason)
    said = _beyond(assertion, recorded)
    if said:
        return Claim(assertion.text, "unsupported", ids, f"“{said}” is recorded nowhere")
    return Claim(assertion.text, "supported", ids)


def _beyond(assertion: Assertion, recorded: Sequence[str]) -> str:
    """What the reply's own words say that was not recorded: the first value or name."""
    own = assertion.frame
    marked = [f"{before}{quote}{after}" for quote in assertion.quotes for before, after in ("“”", "「」", '""')]
    for taken in (*marked, *recorded):
        own = _without(own, taken)
    values = (value.text for value in find_values(own))
    return next(values, "") or next(iter(sorted(capitalised_names(own.strip(" ,;:→")))), "")


def _without(text: str, taken: str) -> str:
    """A text with a piece of it blanked out, whatever its capitals."""
    folded, piece = fold(text), fold(taken)
    if not piece or len(folded) != len(text):
        return text.replace(taken, " ") if taken else text
    start = folded.find(piece)
    while start >= 0:
        text = text[:start] + " " * len(piece) + text[start + len(piece) :]
        folded = fold(text)
        start = folded.find(piece)
    return text
