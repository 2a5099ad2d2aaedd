"""How Alembic reaches the store: through the connection that `upgrade` hands over."""

from alembic import context

from server.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite alters tables only by copying them
)
context.run_migrations()
