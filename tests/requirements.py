"""Every required behaviour, by id. `test_requirements.py` fails when one has no test or a test names none of these."""

PROMISES = {
    "P1": "Every stored item points to a turn and a span whose text it quotes exactly; what cannot be quoted is not stored.",
    "P2": "The source follows the channel a text came through; what the assistant said never becomes a user's fact.",
    "P3": "A turn is durable before anything else happens, is never edited, and a correction supersedes without erasing.",
    "P4": "Every claim of an answer is checked against evidence; what is unsupported is quoted instead or declined.",
    "P5": "With no model configured every step runs on its deterministic floor, and the answer says so.",
    "P6": "One user's memory is never read, counted or changed through another's, whatever the ids contain.",
    "P7": "SQL is the only truth: vectors and full text are derived, rebuildable, and repaired after a crash unasked.",
}

CASES = {
    "C2": "A nickname that only the assistant uses never becomes a user fact, however often it is repeated.",
    "C3": "What the assistant recommended is not what the user owns.",
    "C4": "Of a guess and its correction in one breath only the corrected cause is live.",
    "C5": "Every live fact of a store resolves to a turn that contains its quotation at the stored span.",
    "C6": "Two names in one sentence are each given to the right person.",
    "C7": "Context that a host injects into a turn is not attributed to the user.",
    "C8": "An intention and an offer make no booking, no agreement and no order.",
    "C9": "A refusal and an interest in one sentence both survive, with polarity and amounts.",
    "C10": "Asking about options makes questions, not preferences.",
    "C11": "The current value, the one before it and the one as of a date are told apart.",
    "C12": "Unrelated facts invalidate nothing.",
    "C13": "Among ten versions of one attribute the live one is found.",
    "C14": "A reversed preference leaves one live row with the new polarity.",
    "C15": "Polarity is right in both languages, double negation included.",
    "C16": "A changed favourite is recognised in twenty paraphrases.",
    "C17": "A replaced choice is recorded as a conflict and the new one is live.",
    "C18": "A correction through the API retires the old row.",
    "C19": "Relative time in an imported conversation is resolved against the turn's own date.",
    "C20": "Every row has the time at which it was observed.",
    "C21": "A day's facts are exactly those of that day in the user's time zone.",
    "C22": "Names are stored verbatim, never translated.",
    "C23": "Chinese words of one or two characters and mixed queries are found by the lexical channel alone.",
    "C24": "Every turn is in the log, however far the buffer has moved on.",
    "C30": "A store opened with another embedder is a clear error that names the command which re-embeds.",
    "C31": "A fact stated in one terminal is known one turn later in another.",
    "C32": "User ids that resemble each other, or hold any character, are never mixed.",
    "C36": "Concurrent writers and readers lose nothing and see no error.",
    "C37": "A correction in one terminal is used by another's next answer.",
    "C39": "Of several errands in one turn 'the second' is quoted, also after the first is done.",
    "C41": "A question in other words finds what was said; what was never stated stays unknown.",
    "C42": "Talk about a company is no evidence about the fruit of the same name, and the reverse.",
    "C43": "Asked for reasons, the order told is the order that happened.",
    "C44": "Small talk is kept as a turn and yields no item.",
}

GRAPH = {
    "GRAPH-FOUR-ENTRY-POINTS": "invoke, ainvoke, stream and astream give the same answer on one thread.",
    "GRAPH-RESUME": "A thread resumes after a restart.",
    "GRAPH-RESET": "What belongs to one turn is reset at the next.",
    "GRAPH-BOUNDED": "Every loop of the graph ends by its own count.",
    "GRAPH-DRAWING": "The drawing and the JSON schemas equal their golden files, and every node is reachable.",
    "NO-DRAFT-LEAKS": "An unverified draft appears in no stream mode and in no checkpoint.",
    "THREAD-OWNER": "Another user's call on a thread is an error.",
    "REPLAYED-HISTORY": "A client that sends all messages each time adds only the new ones.",
    "MESSAGE-FORMS": "List content and tool messages are accepted, and their text parts are stored.",
    "PROMPTS-RELEASED": "A released prompt is never edited, and a missing variable is an error that names it.",
}

COMMAND_LINE = {
    "CHAT-STDIN": "Chat answers from standard input with amount, date and turn id, and declines what was never said.",
    "CHAT-OPENING": "Chat opens with what it can do without a model, and with the todos that are due.",
    "CHAT-COMMANDS": "The slash commands of the chat work.",
    "INGEST-LOCOMO": "A LoCoMo conversation goes in with each turn's time, speaker and external id.",
    "INGEST-JSONL": "JSONL turns go in; the assistant's are ai_generated, any other speaker's are a person's.",
    "INGEST-IDEMPOTENT": "An import repeated or resumed adds nothing twice and leaves nothing out.",
    "CLI-RECALL-JSON": "The JSON of recall has the agreed names.",
    "CLI-ASK-JSON": "The JSON of ask has the agreed names.",
    "ASK-CHANGES-NOTHING": "Asking changes no memory unless it is told to record.",
    "WHY-CHAIN": "why shows the chain from the question to the quotations, with what was dropped and by which rule.",
    "STATE": "The memory state is a typed, versioned document, the same bytes in every terminal.",
    "MEMORY-COMMANDS": "Items are listed, shown, followed through their history and corrected.",
    "AS-OF": "as-of asks for valid time, recorded-as-of for what was known then.",
    "DOCTOR": "doctor finds every broken promise of a store, and --fix repairs what can be derived.",
    "REINDEX": "reindex re-embeds a store with the configured embedder.",
    "CONFIG": "config shows every setting and where it comes from.",
    "ERRORS-ONE-SENTENCE": "Bad input is one sentence that says what to do, exit code 2, no traceback, nothing lost.",
}

MEMORY = {
    "IDS-PER-USER": "Numbers run per user, so that an id tells nothing about other users.",
    "TWO-PROCESSES": "Two processes on one data folder both work, and both find what either recorded.",
    "WRONG-EMBEDDER": "A store remembers its embedder, and opening it with another changes nothing.",
    "MIGRATIONS": "The schema is reached from blank and from every earlier revision.",
    "FOUR-CHANNELS": "Candidates come from facts, full text, vectors and the recent turns, and say which.",
    "DROPPED-BY-RULE": "What calibration drops, it drops by a named rule.",
    "FLOOR-ANSWERS": "The floor quotes within its limits, notes statements, greets, and declines general knowledge.",
    "SPANS-EXACT": "Every span that the language rules return cuts exactly the text that they claim.",
    "NUMBERS-ALIKE": "Numbers, amounts and dates written differently compare as equal.",
    "TRADITIONAL-CHINESE": "Traditional Chinese works as Simplified does.",
    "TOKENS-OFFLINE": "Tokens are counted without a network, and counting never fails a turn.",
    "EMBEDDINGS-OFFLINE": "The default embedder needs no network.",
}

HOUSE = {
    "LAYERS": "Imports follow the layers, and nodes import neither each other nor the graph.",
    "HOUSE-GATES": "Length, complexity, documentation and annotations stay within the gates of the house.",
    "NOTHING-AT-IMPORT": "Importing the product does no work.",
    "STARTUP-LAZY": "The command line starts without the heavy libraries.",
    "WHEEL-CONTENT": "The wheel holds every module, prompt and lexicon, and no test and no notebook.",
    "LOCK-PORTABLE": "Every dependency is pinned with hashes, and no registry host is named anywhere.",
    "NOTEBOOK-RUNS": "Every notebook runs from top to bottom and is stored without outputs.",
    "DOCS-TRUE": "The documentation names every command and target, and only files that exist.",
}

REQUIREMENTS = PROMISES | CASES | GRAPH | COMMAND_LINE | MEMORY | HOUSE
