"""What a model answers: drafted from the evidence, and released only as far as the evidence bears it out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from langchain_core.messages import AnyMessage, SystemMessage

from ..memory.calibration.questions import Question
from ..memory.clauses.attesting import without_reference
from ..memory.clauses.telling import Report, report_of
from ..memory.grounding.checks.fields import field_names, state_fields
from ..memory.grounding.checks.segments import states
from ..memory.grounding.courtesies import as_talk
from ..memory.grounding.drafts import Check, verified
from ..memory.grounding.support import citations_of, in_context, speaks_of_the_past, supported_claims
from ..memory.grounding.verifier import Asked
from ..memory.models.client import Ledger, Model
from ..memory.models.failures import ModelFailure
from ..memory.prompting import EVIDENCE_BUDGET, RECENT_BUDGET, dated_lines, harmless, history_line, state_section
from ..memory.records import Answer, Candidate, Citation, Claim, Span, Turn
from ..prompts.library import Prompt
from ..prompts.reference import PromptRef
from .contract import Perceived, Resources
from .prompting import prompt
from .release import Said

_RECENT_TURNS = 5
_NOTHING = "NONE"


@dataclass(slots=True)
class Drafting:
    """One answer by a model: what it is made from, and what it cost."""

    turn: Perceived
    question: Question
    resources: Resources
    model: Model
    converses: bool = False
    """Whether sentences that claim nothing are released as well: who talks with a user asks back, and says thanks."""
    ledger: Ledger = field(default_factory=Ledger)
    used: list[PromptRef] = field(default_factory=list)

    def from_evidence(
        self,
        messages: Sequence[AnyMessage],
        kept: Sequence[Candidate],
        context: Sequence[int],
        floor: Answer,
        release: Said,
    ) -> bool:
        """Release what the model says as far as it is borne out; the floor's quotation stands in for the rest.

        Args:
            messages: of the thread.
            kept: what may bear out a claim.
            context: numbers of those of them that the model is shown.
            floor: what the floor answers.
            release: where sentences are released.

        Returns:
            Whether a sentence of the model's was released. If not, nothing was.
        """
        evidence = self.evidence([candidate.turn for candidate in kept])
        shown = self.evidence(context)
        if not shown:
            return False
        asked = self._prompt("answer").messages(**self._sections(messages, shown))
        draft = self.model.stream(asked, "answer", self.ledger)
        return self.released(draft, messages, evidence, shown, floor, release)

    def released(
        self,
        draft: Iterator[str],
        messages: Sequence[AnyMessage],
        evidence: Sequence[Turn],
        shown: Sequence[Turn],
        floor: Answer,
        release: Said,
    ) -> bool:
        """Release what a draft says as far as it is borne out; the floor's quotation stands in for the rest.

        Args:
            draft: the draft as it comes.
            messages: of the thread.
            evidence: what may bear out a claim, best first.
            shown: what the model is shown when it is asked to repair a sentence.
            floor: what the floor answers.
            release: where sentences are released.

        Returns:
            Whether a sentence of the draft was released. If not, nothing was.
        """
        held_back, before, told = False, release.text, list[Citation]()
        try:
            for sentence in verified(
                draft,
                self.check(messages, evidence, release),
                lambda text, faults: self._repaired(text, faults, shown),
            ):
                says = sentence.released and not _leads_on(sentence.text)
                cited = citations_of(sentence.claims, evidence, sentence.text) if says else []
                told += cited
                if cited or (self.converses and sentence.released):
                    release.say(sentence.text, sentence.claims, cited)
                held_back = held_back or not sentence.released
        except ModelFailure:
            # The ledger shows the failure; what was released before it is true.
            held_back = True
        if release.text == before:
            return False
        unsaid = [one for one in floor.citations if not _tells(told, one)]
        # What is true need not be an answer: a draft may say again what stands beside the evidence.
        asked = not self.converses or self.turn.act == "question"
        if unsaid and (held_back or (asked and unsaid[0] is floor.citations[0])):
            release.say_answer(floor)
        return True

    def from_general_knowledge(self, reply: Prompt, release: Said) -> bool:
        """Answer a question that has nothing to do with the records, marked as such; say whether that was possible."""
        asked = self._prompt("general").messages(question=harmless(self.turn.text))
        try:
            text = "".join(self.model.stream(asked, "general", self.ledger)).strip()
        except ModelFailure:
            return False
        if speaks_of_the_past(text):
            return False
        marked = reply.render(reply="outside", lead=text, quotes=[], notes=[], gone=[], more=False)
        release.say(marked, (), ())
        return True

    def check(self, messages: Sequence[AnyMessage], evidence: Sequence[Turn], release: Said) -> Check:
        """Judges a sentence by the evidence, behind what was released before it."""
        asking, outdated, report = self._asked(messages), self._outdated(evidence), self._report()

        def checked(text: str) -> list[Claim]:
            talk = as_talk(text, self.turn.text, [turn.text for turn in evidence]) if self.converses else None
            if talk is not None:
                return talk
            said, wrong = (text, "") if report is None else without_reference(text, report)
            if wrong:
                return [Claim(text, "unsupported", (), wrong)]
            context = in_context(asking, release.text)
            return supported_claims(said, evidence, self.turn.language, asked=context, outdated=outdated)

        return checked

    def _prompt(self, name: str) -> Prompt:
        chosen = prompt(name, self.turn.language, self.resources)
        self.used.append(chosen.ref)
        return chosen

    def evidence(self, numbers: Sequence[int]) -> list[Turn]:
        """The turns that may bear out a claim, best first: a question supports nothing but that it was asked."""
        memory, user_id = self.resources.memory, self.turn.user_id
        # A summary bears out nothing by itself; what it quotes does.
        behind = memory.digests.turns_behind(user_id, numbers)
        turns = memory.turns(user_id, behind)
        found = [turns[number] for number in behind if number in turns]
        return [turn for turn in found if states(turn) or self.question.about_questions]

    def _report(self) -> Report | None:
        """The clauses that are asked for; what the draft says of others is not borne out by them."""
        clauses, memory = self.question.clauses, self.resources.memory
        report = None if clauses is None else report_of(memory, self.turn.user_id, clauses)
        return report if report is not None and report.found else None

    def _outdated(self, evidence: Sequence[Turn]) -> dict[int, list[Span]]:
        """Where the evidence says what later turns replaced; a question about the past may have it all."""
        if self.question.history or self.question.as_of is not None:
            return {}
        items = self.resources.memory.items(self.turn.user_id, [turn.number for turn in evidence])
        closed = {
            number: [one.value_span for one in some if one.single_valued and one.superseded_by is not None]
            for number, some in items.items()
        }
        return {number: spans for number, spans in closed.items() if spans}

    def _asked(self, messages: Sequence[AnyMessage]) -> Asked:
        """What the draft answers, and the names of fields that it may use."""
        question = self.question
        named = [state_fields(self.resources.memory.state(self.turn.user_id))]
        named += [field_names(message.text) for message in messages if isinstance(message, SystemMessage)]
        fields = frozenset().union(*named)
        # Which documents are meant is settled where clauses are asked for; their texts need not say their own names.
        names = question.names if question.clauses is None else ()
        return Asked(question.asked_at, names, question.terms, fields=fields)

    def _sections(self, messages: Sequence[AnyMessage], evidence: Sequence[Turn]) -> dict[str, str]:
        turn, memory = self.turn, self.resources.memory
        state = memory.state(turn.user_id)
        recent = memory.recent(turn.user_id, turn.session_id, _RECENT_TURNS, before=turn.number)
        return {
            "state": state_section(state, turn.language),
            "updated": state.last_updated.isoformat() if state.last_updated else "-",
            "instructions": "\n".join(message.text for message in messages if isinstance(message, SystemMessage)),
            "evidence": dated_lines(evidence, turn.time_zone, turn.language, budget=EVIDENCE_BUDGET),
            "history": history_line(recent, turn.language),
            "recent": dated_lines(recent, turn.time_zone, turn.language, budget=RECENT_BUDGET),
            "question": harmless(turn.text),
        }

    def _repaired(self, text: str, faults: Sequence[Claim], evidence: Sequence[Turn]) -> str | None:
        turn = self.turn
        asked = self._prompt("repair").messages(
            sentence=harmless(text),
            faults="; ".join(dict.fromkeys(fault.reason for fault in faults)),
            evidence=dated_lines(evidence, turn.time_zone, turn.language, budget=EVIDENCE_BUDGET),
            question=harmless(turn.text),
        )
        try:
            better = "".join(self.model.stream(asked, "repair", self.ledger)).strip()
        except ModelFailure:
            return None
        return None if better.strip(" .\"'") == _NOTHING else better


def _leads_on(text: str) -> bool:
    """Whether a sentence only leads on to what should follow, such as "The answer is:"."""
    return text.rstrip().endswith((":", "："))


def _tells(told: Sequence[Citation], quoted: Citation) -> bool:
    """Whether something told rests on what is quoted, and not merely on another sentence of the same turn."""
    return any(
        one.turn_id == quoted.turn_id and (one.quote in quoted.quote or quoted.quote in one.quote) for one in told
    )
