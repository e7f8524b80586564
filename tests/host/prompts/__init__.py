"""A host's own prompts."""

GREETING = "The budget of Apollo is 48,500 dollars."
QUESTION = "What is the budget of Apollo?"
