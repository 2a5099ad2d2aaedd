"""What tells which ended tables may be removed: when, and where their log ends."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_tables = sa.table(
    "served_tables",
    sa.column("ended_at", sa.BigInteger),
    sa.column("last_chunk", sa.BigInteger),
)
_chunks = sa.table("log_chunks", sa.column("id", sa.BigInteger))


def upgrade() -> None:
    op.add_column("served_tables", sa.Column("last_chunk", sa.BigInteger()))
    op.create_index("served_tables_by_end", "served_tables", ["ended_at", "id"])
    # It was not kept: it may be any that there is.
    last = sa.select(sa.func.coalesce(sa.func.max(_chunks.c.id), 0)).scalar_subquery()
    op.execute(
        _tables.update().where(_tables.c.ended_at.is_not(None)).values(last_chunk=last)
    )
