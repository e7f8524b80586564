"""Logs as lines of JSON: what happened to which turn and how long it took, and never what was said.

The loggers are those of the standard library, under ``veridical``, so that a host's own handlers see them as well.
What a line tells is the event and the ``fields`` of the log record. Of an exception it tells the kind and the place,
and not its words, which may repeat what was said.
"""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, TextIO

_LOGGERS = ("veridical", "uvicorn.error")


class JsonLines(logging.Formatter):
    """``{"at", "level", "logger", "event", …}``: one object for each record, in one line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": " ".join(record.getMessage().split()),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[0] is not None:
            frames = traceback.extract_tb(record.exc_info[2])
            line["error"] = record.exc_info[0].__name__
            line["where"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        return json.dumps(line, ensure_ascii=False, default=str)


class _Written(logging.Handler):
    """Writes each record as a line to a stream, or to whatever stderr is at the time."""

    def __init__(self, stream: TextIO | None) -> None:
        super().__init__()
        self.setFormatter(JsonLines())
        self._stream = stream

    def emit(self, record: logging.LogRecord) -> None:
        stream = self._stream or sys.stderr
        try:
            stream.write(self.format(record) + "\n")
            stream.flush()
        except (OSError, ValueError):
            self.handleError(record)


def write_logs(level: str, stream: TextIO | None = None) -> None:
    """Write the log of this process as JSON lines from a level on; once more changes level and place.

    Only our own loggers and the server's are written: libraries that we call log what they are given.

    Args:
        level: ``debug``, ``info``, ``warning`` or ``error``.
        stream: where to, stderr by default.
    """
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.setLevel(level.upper())
        logger.handlers = [one for one in logger.handlers if not isinstance(one, _Written)] + [_Written(stream)]
