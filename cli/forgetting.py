"""Forgetting in a chat: "forget that" is answered by a question, and only a yes forgets."""

from ..memory.forgetting import Forgotten, Preview, What
from ..memory.forgetting.request import asked_to_forget, says_yes
from ..memory.language.folding import detect_language
from ..memory.records import Language
from .conversation import Conversation
from .output import one_line
from .wording import chat_text


class ForgetDialogue:
    """The lines of a chat that are about forgetting; none of them is recorded."""

    def __init__(self, talk: Conversation) -> None:
        """Watch the lines of ``talk``."""
        self._talk = talk
        self._proposed: Preview | None = None
        self._language: Language = "en"
        self.report: Forgotten | None = None
        """What the last line has forgotten, if it has."""

    def reply(self, line: str) -> str | None:
        """What to say to a line that is about forgetting; ``None`` for every other line.

        Raises:
            NotFound: the line names a turn that there never was.
        """
        self.report = None
        if self._proposed is not None:
            return self._settle(line)
        named = asked_to_forget(line)
        if named is None:
            return None
        self._language = detect_language(line)
        meant = named or self._talk.last_said()
        planned = self._talk.preview(What("turn", meant)) if meant else None
        if planned is None or not planned.turns:
            return self._text("forget_nothing")
        self._proposed = planned
        listed = [{"id": turn.id, "text": one_line(turn.text)} for turn in planned.chosen]
        return self._text("forget_ask", turns=listed, echoes=[turn.id for turn in planned.echoes])

    def _settle(self, line: str) -> str | None:
        planned, self._proposed = self._proposed, None
        if planned is None or not says_yes(line):
            return self._text("forget_kept")
        self.report = self._talk.forget(planned.what)
        part = "forget_done" if self.report.clean else "forget_left"
        return self._text(part, turns=list(self.report.turns), files=len(self.report.scanned))

    def _text(self, part: str, **forgetting: object) -> str:
        return chat_text(part, forgetting=forgetting, language=self._language)
