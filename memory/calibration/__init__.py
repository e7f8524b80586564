"""From a question and what was recalled to what may count: understanding, expansion, and the rules in order."""
