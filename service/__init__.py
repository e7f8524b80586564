"""The Memory State Service: many terminals, one memory, over HTTP."""
