"""Finding turns again: embedders, the lexical and the vector index, the four channels, and their fusion."""
