"""Summaries as they are recalled: when a question asks for an overview, and which turns then answer it."""
