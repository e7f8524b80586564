"""Everything that can go wrong on purpose, by audience; each message is one sentence that says what to do.

::

    VeridicalError
    ├── UsageError                 what the caller did; the command line exits with 2
    │   ├── UserRequired           no user was named
    │   ├── UnknownUser            no memory of that user in this data folder
    │   ├── ThreadOwned            the thread belongs to another user
    │   ├── NotFound               an id that names nothing of this user
    │   ├── BadInput               a value or a message that cannot be understood
    │   │   ├── AlreadyClosed      an item that no longer holds is to be changed
    │   │   ├── SameValue          a correction that corrects nothing
    │   │   └── UnknownZone        no time zone has that name
    │   └── BadFile                a file that cannot be read or has a wrong line
    ├── EmbedderFailed             the model that makes embeddings gave none
    └── StoreError                 the state of the data folder
        ├── StoreCorrupt           the database cannot be read
        ├── StoreBusy              another process holds what is needed
        ├── StoreNewer             the database was written by a newer version
        └── WrongEmbedder          the store was embedded by another model
"""


class VeridicalError(Exception):
    """Base of every error that Veridical raises on purpose."""


class UsageError(VeridicalError):
    """The caller asked for something that cannot be done as asked."""


class UserRequired(UsageError):
    """No user was named where one is needed."""

    def __init__(self, how: str = "pass --user, or context=Context(user_id=...) to the graph") -> None:
        super().__init__(f"No user was named: {how}.")


class UnknownUser(UsageError):
    """The data folder holds nothing of that user."""

    def __init__(self, user_id: str, folder: object) -> None:
        super().__init__(
            f"There is no memory of user {user_id!r} in {folder}: check --user and --data, "
            "or start with `veridical chat`."
        )


class ThreadOwned(UsageError):
    """The thread was begun by another user."""

    def __init__(self, thread_id: str) -> None:
        super().__init__(f"Thread {thread_id!r} belongs to another user: choose another thread or session id.")


class NotFound(UsageError):
    """An id that names nothing of this user."""

    def __init__(self, what: str, given: str, hint: str) -> None:
        super().__init__(f"There is no {what} {given!r}: {hint}.")
        self.given = given


class BadInput(UsageError):
    """A value or a message that cannot be understood."""


class AlreadyClosed(BadInput):
    """An item that no longer holds is to be corrected or retracted."""


class SameValue(BadInput):
    """A correction gives no other value than what is there."""


class UnknownZone(BadInput):
    """No time zone has that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"There is no time zone {name!r}: give an IANA name such as Europe/Berlin or Asia/Shanghai.")


class BadFile(UsageError):
    """A file that cannot be read, or whose content is not in the stated format."""


class EmbedderFailed(VeridicalError):
    """The model that makes embeddings gave none; a turn goes on without, and what waits goes on waiting."""

    def __init__(self, embedder: str, reason: str, advice: str = "") -> None:
        advice = advice or "check that it is there, its address and its key"
        super().__init__(
            f"The embedder {embedder!r} gave no embeddings ({reason}): {advice}, and run the command again; "
            "everything recorded is kept, and what waits is embedded then or after the next turn."
        )
        self.reason = reason


class StoreError(VeridicalError):
    """The data folder is not in a state in which the work can be done."""


class StoreCorrupt(StoreError):
    """The database file cannot be read as one."""


class StoreBusy(StoreError):
    """Another process holds what is needed."""


class StoreNewer(StoreError):
    """The database has a schema that this version does not know."""

    def __init__(self, revision: str, newest: str) -> None:
        super().__init__(
            f"This store was written by a newer Veridical (schema {revision}, and {newest} is the newest known here): "
            "update Veridical; nothing was changed."
        )


class WrongEmbedder(StoreError):
    """The store's vectors were made by another embedder than the one configured."""

    def __init__(self, stored: str, configured: str) -> None:
        super().__init__(
            f"This store was embedded with {stored!r} but {configured!r} is configured: "
            f"set VERIDICAL_EMBEDDINGS={stored}, or run `veridical reindex` to re-embed everything."
        )
