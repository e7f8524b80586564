"""The SQL database, the one source of truth: tables, migrations, and what is read from and written to them."""
