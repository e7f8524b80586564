"""A chat as people see it, and as programs do: the loop over lines, the slash commands, what opens and ends it."""

import re
import sys
from collections.abc import Iterable
from datetime import tzinfo
from zoneinfo import ZoneInfo

from ..memory.errors import UsageError
from ..memory.traces import Json
from .commands.why import explained
from .contract import ask_json
from .conversation import Conversation
from .forgetting import ForgetDialogue
from .naming import names_in
from .output import echo, one_line, show, show_json
from .reading import PROMPT
from .rendering.state import state_page, todos_page, with_errands
from .wording import chat_text

# A path or a fraction that opens a sentence is no command: a command is one word, alone or with an id.
_COMMAND = re.compile(r"\s*/(?P<name>[a-z]+)(?:\s+(?P<argument>\S+))?\s*", re.IGNORECASE)
_LEAVING = frozenset({"quit", "exit"})


class TextChat:
    """A chat as text, at a terminal or in a transcript."""

    def __init__(self, talk: Conversation, *, terminal: bool) -> None:
        """Prepare a chat.

        Args:
            talk: the conversation to carry on.
            terminal: whether a person sees what they type; otherwise each line is echoed, so that the output reads.
        """
        self._talk = talk
        self._terminal = terminal
        self._zone: tzinfo = ZoneInfo(talk.time_zone)
        self._failed = False
        self._forgetting = ForgetDialogue(talk)

    def run(self, lines: Iterable[str]) -> bool:
        """Carry on until the lines end or ``/quit``; returns whether every line could be answered."""
        self._remind()
        try:
            for line in lines:
                if line.strip() and not self._take(line):
                    break
        except KeyboardInterrupt:
            if not self._terminal:
                raise
        if self._terminal:
            echo(f"\n{chat_text('goodbye')}")
        return not self._failed

    def _take(self, line: str) -> bool:
        """Answer or obey one line; returns whether the chat goes on."""
        if not self._terminal:
            echo(f"\n{PROMPT}{line}")
        command = _COMMAND.fullmatch(line)
        if command is None:
            if not self._forget(line):
                self._say(line)
            return True
        name = command["name"].lower()
        if name not in _LEAVING:
            self._obey(name, command["argument"])
        return name not in _LEAVING

    def _remind(self) -> None:
        due = self._talk.due_todos()
        if due:
            still_open = len(self._talk.state()["open_todos"])
            echo(f"\n{chat_text('todos', due=len(due), still_open=max(still_open, len(due)))}")
            show(todos_page(due, self._zone))
        if self._terminal:
            echo()

    def _say(self, line: str) -> None:
        try:
            for sentence in self._talk.say(line):
                echo(sentence, nl=False)
                sys.stdout.flush()
        except UsageError as error:
            self._fail(error)
            return
        echo("\n" if self._terminal else "")

    def _forget(self, line: str) -> bool:
        """Whether the line is about forgetting, and has been answered."""
        try:
            reply = self._forgetting.reply(line)
        except UsageError as error:
            self._fail(error)
            return True
        if reply is not None:
            echo(f"{reply}\n" if self._terminal else reply)
        return reply is not None

    def _fail(self, error: UsageError) -> None:
        self._failed = True
        sys.stdout.flush()
        echo(f"veridical: {one_line(str(error))}", err=True)

    def _obey(self, name: str, argument: str | None) -> None:
        commands = {"help": self._help, "why": self._why, "state": self._state, "todos": self._todos}
        if name not in commands:
            echo(chat_text("unknown_command"))
            return
        try:
            commands[name](argument)
        except UsageError as error:
            self._fail(error)
        if self._terminal:
            echo()

    def _help(self, _argument: str | None) -> None:
        echo(chat_text("help"))

    def _why(self, argument: str | None) -> None:
        if argument is None and self._talk.answer(None) is None:
            echo(chat_text("no_answer"))
        else:
            show(explained(self._talk.memory, self._talk.user, argument, self._zone)[1])

    def _state(self, _argument: str | None) -> None:
        state = self._talk.state()
        show(state_page(state, self._talk.user, self._zone, names_in(self._talk.memory, self._talk.user, state)))

    def _todos(self, _argument: str | None) -> None:
        show(todos_page(with_errands(self._talk.state()), self._zone))


class JsonChat:
    """A chat for programs: one JSON object per line that is answered, as ``ask --json`` words it."""

    def __init__(self, talk: Conversation) -> None:
        """Prepare a chat over ``talk``."""
        self._talk = talk
        self._forgetting = ForgetDialogue(talk)

    def run(self, lines: Iterable[str]) -> bool:
        """Carry on until the lines end or ``/quit``; returns whether every line could be answered."""
        answered = True
        for line in lines:
            command = _COMMAND.fullmatch(line)
            if command is not None and command["name"].lower() in _LEAVING:
                break
            if not line.strip():
                continue
            try:
                document = self._take(line)
            except UsageError as error:
                answered = False
                show_json({"error": str(error)}, indent=None)
                continue
            if document is not None:
                show_json(document, indent=None)
        return answered

    def _take(self, line: str) -> Json | None:
        """Answer one line: with an answer, or with what is said and done about forgetting."""
        reply = self._forgetting.reply(line)
        if reply is not None:
            report = self._forgetting.report
            return {"text": reply, "forgotten": None if report is None else report.document()}
        "".join(self._talk.say(line))
        trace = self._talk.answer(None)
        return None if trace is None else ask_json(trace)
