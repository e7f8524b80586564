"""From what an agent's model says to what leaves it: verified like an answer of the graph, by the same code."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from langchain_core.messages import AnyMessage

from ..memory.grounding.selection import select
from ..memory.grounding.support import citations_of
from ..memory.knowledge.consulting import impersonal
from ..memory.models.client import Ledger, Model
from ..memory.records import Answer, Candidate, Citation, Claim, Evidence, Span, Turn, reference_id
from ..nodes.contract import Resources
from ..nodes.drafting import Drafting
from ..nodes.errands import Errands
from ..nodes.floor import to_premise, to_question, to_statement
from ..nodes.prompting import prompt
from ..nodes.release import Said
from ..prompts.library import Prompt
from ..prompts.reference import PromptRef
from .turns import Bearing, Turning


@dataclass(slots=True)
class Verifying:
    """The answer of one turn: what is said, what it may rest on, and what repairing it cost."""

    turning: Turning
    bears: Bearing
    messages: Sequence[AnyMessage]
    """Of the thread, the host's instructions first."""
    resources: Resources
    model: Model
    """The host's model, for a repair and for general knowledge."""
    ledger: Ledger = field(default_factory=Ledger)
    used: list[PromptRef] = field(default_factory=list)

    def answer(self, draft: str) -> Answer:
        """The answer that leaves: the draft as far as it is borne out, else what the floor says."""
        state, said = self.turning.state, Said()
        reply = self._prompt("floor_reply")
        floor = self._floor(reply)
        drafting = self._drafting()
        by_model = bool(draft.strip()) and drafting.released(
            iter([draft]), self.messages, self.bears.everything, self.bears.everything, floor, said
        )
        if not by_model and floor.abstained and state["question"].general:
            by_model = drafting.from_general_knowledge(reply, said)
        if not by_model and not self._of_errands(said, reply):
            said.say_answer(floor)
        self.used += drafting.used
        return self._answer(said, abstained=floor.abstained and not by_model, by_model=by_model)

    def premise(self) -> Answer | None:
        """What to answer to a request that takes for granted what the records refute; nothing is done for it."""
        said, reply = Said(), self._prompt("floor_reply")
        challenged = to_premise(self.turning.perceived, reply, self.resources)
        if challenged is None:
            return None
        said.say_answer(challenged)
        return self._answer(said, abstained=False, by_model=False)

    def declined(self) -> Answer:
        """The answer where what was asked for in a form of the host's cannot be given."""
        said = Said()
        said.say_answer(self._floor(self._prompt("floor_reply")))
        return self._answer(said, abstained=True, by_model=False)

    def faults(self, text: str) -> list[Claim]:
        """What of a text nothing bears out."""
        check = self._drafting().check(self.messages, self.bears.everything, Said())
        return [claim for claim in check(text) if claim.verdict != "supported"]

    def _drafting(self) -> Drafting:
        state = self.turning.state
        return Drafting(
            state["turn"], state["question"], self.resources, self.model, converses=True, ledger=self.ledger
        )

    def _prompt(self, name: str) -> Prompt:
        chosen = prompt(name, self.turning.perceived.language, self.resources)
        self.used.append(chosen.ref)
        return chosen

    def _floor(self, reply: Prompt) -> Answer:
        """What the graph would say without a model; a question may be answered from what tools returned as well."""
        state, turn = self.turning.state, self.turning.perceived
        if not state["recall"]:
            return to_statement(turn, state["question"], reply, self.resources)
        return to_question(turn, state["question"], state["evidence"], reply, self.resources, beside=self._of_tools())

    def _of_tools(self) -> dict[int, tuple[Turn, list[Evidence]]]:
        """What tools returned for the question, quoted as it was returned: where nothing is nearer, the latest."""
        quoted = {turn.number: (self._exactly(turn), self._near(turn)) for turn in self.bears.tools}
        for number, (turn, near) in quoted.items():
            if near or not self.turning.state["evidence"]:
                first = near or [Evidence(number, Span(0, len(turn.text)), 1.0)]
                return {number: (turn, first)}
        return {}

    def _near(self, turn: Turn) -> list[Evidence]:
        """The sentences of a result that answer the question."""
        state, before = self.turning.state, len(turn.text) - len(self.bears.results[turn.number].text)
        kept, question = [Candidate(turn.number, 1.0)], impersonal(state["question"])
        chosen = select(question, kept, {turn.number: turn}, {}, limits=state["filter"])
        moved = [Span(max(0, one.span.start - before), one.span.end - before) for one in chosen]
        return [Evidence(turn.number, span, 1.0) for span in moved if span.start < span.end]

    def _exactly(self, turn: Turn) -> Turn:
        """A result as it was returned, without what it was asked for with."""
        return replace(turn, text=self.bears.results[turn.number].text)

    def _of_errands(self, said: Said, reply: Prompt) -> bool:
        """Say what was done to errands, where that is what the turn is about."""
        state = self.turning.state
        errands = Errands(state["turn"], state["inquiry"], state["settled"], self.resources.domains)
        if not errands.come_first(state["recall"]):
            return False
        return errands.say(said, state["question"], reply, self.used, self.resources) is not None

    def _answer(self, said: Said, *, abstained: bool, by_model: bool) -> Answer:
        state = self.turning.state
        calls = [*state["calls"], *self.turning.calls, *self.ledger.calls]
        return Answer(
            text=self._named(said.text),
            abstained=abstained,
            mode="model" if by_model else "floor",
            claims=tuple(self._claimed(one) for one in said.claims),
            citations=tuple(self._cited(one, said.text) for one in said.citations.values()),
            prompts=tuple(dict.fromkeys([*state["used"], *self.used])),
            model_calls=len(calls),
            tokens=sum(call.tokens for call in calls),
        )

    def _named(self, text: str) -> str:
        """A text that names tools where it quotes what they returned: no turn has the numbers that stand for that."""
        for number, result in self.bears.results.items():
            text = text.replace(f"[{reference_id(number)}]", f"[{result.name or 'tool'}]")
        return text

    def _claimed(self, claim: Claim) -> Claim:
        calls = {reference_id(number): result.tool_call_id for number, result in self.bears.results.items()}
        rests = tuple(calls.get(one, one) for one in claim.evidence)
        return replace(claim, text=self._named(claim.text), evidence=rests)

    def _cited(self, cited: Citation, text: str) -> Citation:
        """A citation; one of what a tool returned names the call, and quotes the result itself."""
        turn = next((one for one in self.bears.tools if one.id == cited.turn_id), None)
        if turn is None:
            return cited
        quoted = citations_of([Claim(text, "supported", (turn.id,))], [self._exactly(turn)], cited.quote)[0]
        return replace(quoted, id=turn.external_id, turn_id="")
