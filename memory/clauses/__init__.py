"""Executable memory: documents that are made of clauses, each clause addressable by document, version and number."""
