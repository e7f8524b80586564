"""The memory: what was said, what holds, how it is found again, and what an answer may claim."""
