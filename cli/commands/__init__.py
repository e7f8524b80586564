"""The commands. A command imports what is heavy when it runs, so that `--help` stays quick."""
