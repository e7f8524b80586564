"""From plain documents to what a terminal shows. Nothing here opens a store."""
