"""The command line: one command per module, pure rendering beside them, one place where errors become sentences."""
