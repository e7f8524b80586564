"""`veridical reindex`: everything derived made anew, with the configured embedder."""
