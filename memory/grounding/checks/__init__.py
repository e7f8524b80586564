"""The checks of a statement against the words of a turn: what is named, how it is said, who says it, what follows."""
