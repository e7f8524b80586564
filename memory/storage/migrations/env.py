"""Alembic's entry point: runs the revisions on the connection that the store hands over, inside its transaction."""

from alembic import context

from veridical.memory.storage.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=False,
)
context.run_migrations()
