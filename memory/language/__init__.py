"""What the memory knows about language itself: folding, tokens, sentences, values, times and a bilingual lexicon.

Everything here is deterministic, needs no model, treats Chinese and English alike and never raises on odd text.
"""
