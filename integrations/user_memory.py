"""One user's memory as other programs use it: what can be done with it, each as a document of plain JSON."""

import hmac
import json
import re
import secrets
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from uuid import uuid4

from ..graph.ask import ask
from ..graph.build import build_graph
from ..graph.guard import VeridicalGraph
from ..graph.recall import recall
from ..graph.threads import open_threads
from ..memory.errors import BadInput, NotFound
from ..memory.extraction.acts import classify_act
from ..memory.forgetting import Preview, What, forget, preview
from ..memory.forgetting.request import Kind as Forgettable
from ..memory.language.folding import clean, detect_language
from ..memory.listing import item_document, turn_document
from ..memory.provenance import ItemProvenance, TurnProvenance, provenance
from ..memory.records import NewTurn, Turn
from ..memory.remembering import Kind, correct_as_said, remember
from ..memory.traces import Json
from ..nodes.contract import Context, Resources

_ID = re.compile(r"([tf])([0-9]{1,17})")
_SHOWN = ("id", "kind", "turn_id", "source", "speaker", "observed_at", "text", "accepts")
_REPORTED = ("clean", "turns", "echoes", "items", "documents", "residue", "problems")


@dataclass(frozen=True)
class UserMemory:
    """The memory of one user. Safe to share between threads."""

    resources: Resources
    user_id: str
    session_id: str
    terminal: str
    """Where what is said comes from, as the records name it."""
    _secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    @cached_property
    def _graph(self) -> VeridicalGraph:
        return build_graph(self.resources)

    def recall(self, question: str, *, limit: int = 5) -> Json:
        """What the records hold about a question: ``{"results": [...], "dropped": [...]}``, best first."""
        found = recall(self.resources, question, self._context(limit=limit))
        results = [{name: result[name] for name in _SHOWN if name in result} for result in found["results"]]
        return {"results": results, "dropped": found["dropped"], "confidence": found["confidence"]} | _failed(found)

    def ask(self, question: str) -> Json:
        """The verified answer to a question, with its id; the memory stays as it was."""
        trace = ask(self._graph, question, self._context())
        names = ("answer_id", "text", "abstained", "mode", "claims", "citations")
        return {name: trace[name] for name in names} | _failed(trace)

    def note(self, text: str, *, speaker: str = "") -> Json:
        """Record what was said as a turn: the user's, or where a ``speaker`` is named that assistant's.

        What an assistant passes on is kept as its own words and makes no item, whatever it says that the user said.

        Returns:
            The turn, with the items that were noted from it.
        """
        words, memory = clean(text).strip(), self.resources.memory
        if not words:
            message = "There is nothing to note: give the words."
            raise BadInput(message)
        now = self.resources.clock()
        memory.claim(self.session_id, self.user_id, now=now)
        language = detect_language(words)
        recorded = memory.record(
            NewTurn(
                user_id=self.user_id,
                session_id=self.session_id,
                external_id=uuid4().hex,
                role="assistant" if speaker else "user",
                source="ai_generated" if speaker else "user_input",
                speaker=speaker or "user",
                text=words,
                language=language,
                observed_at=now,
                time_zone=self.resources.time_zone,
                act="statement" if speaker else classify_act(words, language),
                terminal=self.terminal,
            ),
            now=now,
        )
        memory.embed_waiting(self.user_id, limit=64)
        return turn_document(recorded.turn) | {"items": [item_document(item) for item in recorded.items]}

    def remember(
        self,
        turn_id: str,
        quotation: str,
        *,
        attribute: str = "",
        value: str = "",
        about: str = "user",
        kind: Kind = "fact",
    ) -> Json:
        """Store an item quoted from one of the user's turns; what the turn does not say is refused."""
        number = self._number(turn_id, "t")
        with self.resources.memory.database.write(self.user_id) as connection:
            item = remember(
                connection,
                self.user_id,
                number,
                quotation,
                attribute=attribute,
                value=value,
                entity=about,
                kind=kind,
                now=self.resources.clock(),
            )
        return item_document(item)

    def correct(self, item_id: str, turn_id: str, value: str) -> Json:
        """Replace the value of an item by what one of the user's turns says; what the turn does not say is refused."""
        item, number = self._number(item_id, "f"), self._number(turn_id, "t")
        with self.resources.memory.database.write(self.user_id) as connection:
            right = correct_as_said(connection, self.user_id, item, number, value, now=self.resources.clock())
        return item_document(right)

    def why(self, identifier: str) -> Json:
        """How an answer (``a7``) came about, or what an item (``f3``) or a turn (``t12``) is and where it is from.

        Raises:
            NotFound: it names nothing of this user.
        """
        found = provenance(self.resources.memory, self.user_id, identifier)
        return found.document() if isinstance(found, ItemProvenance | TurnProvenance) else found

    def state(self) -> Json:
        """MEMORY_STATE, the same as in every terminal."""
        return self.resources.memory.state(self.user_id).model_dump(mode="json")

    def preview(self, kind: Forgettable, names: list[str]) -> Json:
        """What a forgetting would take, and the word that confirms exactly that; nothing is changed."""
        planned = self._planned(kind, names)
        return {
            "turns": [_line(turn) for turn in planned.chosen],
            "echoes": [_line(turn) for turn in planned.echoes],
            "items": planned.items,
            "documents": planned.documents,
            "confirm": self._word(planned),
        }

    def confirmed(self, kind: Forgettable, names: list[str], confirm: str) -> Preview:
        """What a word confirms.

        Raises:
            BadInput: the word is not that of a preview of what would go now.
        """
        planned = self._planned(kind, names)
        if not hmac.compare_digest(confirm.strip().encode(), self._word(planned).encode()):
            message = "The word does not confirm what would be forgotten now: ask for a preview, and take its word."
            raise BadInput(message)
        return planned

    def forget(self, kind: Forgettable, names: list[str], confirm: str) -> Json:
        """Forget for good what a preview has shown; the report says what is left in the files, if anything is.

        Raises:
            BadInput: the word is not that of a preview of what would go now.
        """
        planned = self.confirmed(kind, names, confirm)
        with open_threads(self.resources.memory) as threads:
            report = forget(
                self.resources.memory, threads, self.user_id, planned.what, now=self.resources.clock()
            ).document()
        return {name: report[name] for name in _REPORTED}

    def _planned(self, kind: Forgettable, names: list[str]) -> Preview:
        meant = tuple(clean(name).strip() for name in names)
        if (kind == "all") == bool(meant) or not all(meant):
            message = "Name what to forget; the kind `all` takes no names."
            raise BadInput(message)
        return preview(self.resources.memory, self.user_id, What(kind, meant))

    def _word(self, planned: Preview) -> str:
        """A word that only a preview of the very same turns, items and documents gives."""
        meant = [planned.what.kind, planned.what.names, [turn.id for turn in planned.turns]]
        shown = json.dumps([*meant, planned.items, planned.documents], ensure_ascii=False)
        return hmac.digest(self._secret, shown.encode("utf-8", "surrogatepass"), "sha256").hex()[:12]

    def _context(self, limit: int = 10) -> Context:
        return Context(
            user_id=self.user_id, session_id=self.session_id, terminal=self.terminal, record=False, limit=limit
        )

    def _number(self, identifier: str, prefix: str) -> int:
        match = _ID.fullmatch(identifier.strip().lower())
        if match is None or match[1] != prefix:
            what = {"f": "item", "t": "turn"}[prefix]
            raise NotFound(what, identifier, f"its ids look like {prefix}3")
        return int(match[2])


def _line(turn: Turn) -> dict[str, Any]:
    return {"id": turn.id, "speaker": turn.speaker, "text": turn.text}


def _failed(document: Json) -> Json:
    return {"failed": document["failed"]} if document.get("failed") else {}
