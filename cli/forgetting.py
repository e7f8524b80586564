"""Forgetting in a chat: "forget that" is answered by a question, and only a yes forgets."""

from ..memory.forgetting import Forgotten
from ..memory.forgetting.dialogue import Reply
from .conversation import Conversation


class ForgetDialogue:
    """The lines of a chat that are about forgetting; none of them is recorded."""

    def __init__(self, talk: Conversation) -> None:
        """Watch the lines of ``talk``."""
        self._talk = talk
        self._last: Reply | None = None

    @property
    def report(self) -> Forgotten | None:
        """What the last line has forgotten, if it has."""
        return None if self._last is None else self._last.report

    def reply(self, line: str) -> str | None:
        """What to say to a line that is about forgetting; ``None`` for every other line.

        Raises:
            NotFound: the line names a turn that there never was.
        """
        before, self._last = self._last, None
        if before is not None and before.offered is not None:
            self._last = self._talk.settle_forgetting(before.offered.what, line, before.language)
        self._last = self._last or self._talk.ask_forgetting(line)
        return None if self._last is None else self._last.text
