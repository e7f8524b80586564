"""Versioned prompt and reply templates: ``<name>/v<N>.<language>.md``, never edited once released."""
