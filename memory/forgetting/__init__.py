"""Forgetting: a text leaves every layer of the store, and a scan of the raw files says whether anything is left.

``request`` says what may be forgotten, ``selection`` finds the turns, ``echoes`` those that repeat them, ``removal``
takes the rows out in one transaction, ``cleaning`` empties what SQLite, Chroma and the checkpoints keep of them, and
``scan`` reads the files. ``forget`` ties these together; ``ledger`` makes a restored backup forget again;
``dialogue`` is how a conversation asks before it forgets.
"""

from .forget import Threads, forget, preview, replay
from .report import Forgotten, Preview
from .request import What

__all__ = ["Forgotten", "Preview", "Threads", "What", "forget", "preview", "replay"]
