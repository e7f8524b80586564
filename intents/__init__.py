"""Intents: which step the user is on with what, by the rules of domain files."""
