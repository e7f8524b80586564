"""Whether the best passage is surely the evidence, or another one might as well be: then nothing is said.

The share of right answers depends on how far the best passage leads. On the bundled dialogues and LoCoMo, of those
that cover the question and lead by two points more than nine of ten are evidence, of those by less than one half.
"""

from collections.abc import Sequence

from ..language.folding import fold
from ..records import Reference
from .asked import Question
from .changes import adds_to, asks_for_before, is_numbered_otherwise, may_replace
from .choosing import chosen, undecided
from .ranking import names_field
from .weighing import ENOUGH, Support

CLEAR = 0.5
"""By how much a passage that covers the question must lead."""
_LIKE = 1.75
"""By how much, where the other one would do by itself as well, and neither was noted under what is asked for."""
_SUCCEEDS = 1.0
"""By how much more it must lead one of the same kind that was said after it, which may be what became of it."""
_DOUBTED = 8.0
"""By how much, where the other one seems to speak on of the same."""
_NOTED = 0.25
"""By how much, where it is a value that was noted under the very name that is asked for."""
_FAR = 3.5
"""By how much one must lead that covers only some of the words."""
_SOME = 1 / 3
"""Of the words, the least share."""
_FEW = 3
"""To lead over fewer passages tells nothing."""


def assured(question: Question, supports: Sequence[Support]) -> Support | None:
    """The passage that answers, if there is one that no other comes near.

    Args:
        question: What is asked.
        supports: The passages that may count, best first.
    """
    supports = _own_word(supports)
    if not supports:
        return None
    first = supports[0]
    if isinstance(first.passage.turn, Reference):
        return next((one for one in supports if one.answers), None)  # documents say everything in several places
    taken = chosen(question, supports)
    if taken is not None:
        return taken
    rivals = [one for one in supports if _rivals(question, first, one)]
    lead = first.score - max((one.score for one in rivals), default=float("-inf"))
    best = _best_of_turn(first, supports)
    if undecided(question, best.passage):
        return None
    if best.answers and not _is_noted(question, best, rivals):
        return best if all(first.score - one.score >= _margin(question, first, one) for one in rivals) else None
    if best.answers:
        return best if lead >= _NOTED else None
    return best if lead >= _FAR and len(rivals) >= _FEW and _suits(best) else None


def _own_word(supports: Sequence[Support]) -> Sequence[Support]:
    """Without what services registered, where the user's own word answers: in no order does theirs go before it.

    Else whoever may register one document could have every question about its subject declined, or answered for them.
    """
    if not any(one.answers and _source(one) == "user_input" for one in supports):
        return supports
    return [one for one in supports if _source(one) != "external_knowledge"]


def _source(support: Support) -> str:
    turn = support.passage.turn
    return "" if isinstance(turn, Reference) else turn.source


def _margin(question: Question, best: Support, rival: Support) -> float:
    """By how much the best passage must lead another one: by more if that may be a later version of the same."""
    if not rival.fits or is_numbered_otherwise(question, best.passage, rival.passage):
        return _NOTED
    if may_replace(question, best, rival):
        return _DOUBTED
    version = rival.passage.turn.number - best.passage.turn.number
    lacks_more = set(best.missing) < set(rival.missing)
    clear = _LIKE if rival.answers and not (best.exact or lacks_more) else CLEAR
    return clear + _SUCCEEDS * (version < 0 if asks_for_before(question) else version > 0)


def _best_of_turn(first: Support, supports: Sequence[Support]) -> Support:
    """The passage of the leading turn that answers, as it was noted: "Thursday. Actually no, Tuesday."."""
    number = first.passage.turn.number
    own = [one for one in supports if one.answers and one.passage.turn.number == number]
    return next((one for one in own if one.exact), next(iter(own), first))


def _is_noted(question: Question, best: Support, rivals: Sequence[Support]) -> bool:
    """Whether its value was noted of whom the question is about, under the name that is asked for, and no rival's."""
    own = any(item.single_valued and item.entity in {question.subject, question.entity} for item in best.exact)
    return own and not any(rival.exact for rival in rivals)


def _suits(support: Support) -> bool:
    told = support.direct > 0 or support.covered >= ENOUGH  # not by what stands around it alone
    return support.fits and support.named and told and support.covered >= _SOME


def _rivals(question: Question, best: Support, other: Support) -> bool:
    """Whether another passage would be another answer: of another turn, and with other words and values."""
    same = other.passage.turn.number == best.passage.turn.number
    same = same or adds_to(question, other, best)
    return not (same or repeats(other, best) or beside(other, best) or _is_elsewhere(question, best, other))


def _is_elsewhere(question: Question, best: Support, other: Support) -> bool:
    """Whether both name places in documents, and the question has words of the best one that the other lacks."""
    if not (best.answers and best.passage.address.is_elsewhere(other.passage.address)):
        return False
    lacks_more = set(best.missing) < set(other.missing)
    return lacks_more or names_field(question, best.passage) > names_field(question, other.passage)


def repeats(support: Support, other: Support) -> bool:
    """Whether one passage has the words of the other, or gives the same value."""
    text, known = (fold(one.passage.text).strip(" .。!！") for one in (support, other))
    values, others = ({(it.entity, it.attribute, it.normal) for it in one.exact} for one in (support, other))
    return text in known or known in text or bool(values & others)


def beside(support: Support, other: Support) -> bool:
    """Whether both give values of an attribute that has several: what one says does not contradict the other."""
    many, others = ({(it.entity, it.attribute) for it in one.exact if not it.single_valued} for one in (support, other))
    return bool(many & others)
