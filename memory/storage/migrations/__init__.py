"""The schema's history: an append-only list of small revisions, applied once each when a store is opened."""
