"""The knowledge base: reference documents of a user, quoted like turns, and never taken for what the user said."""
