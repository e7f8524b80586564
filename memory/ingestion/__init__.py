"""Bringing recorded conversations in: readers of files, and the import that can be repeated and resumed."""
