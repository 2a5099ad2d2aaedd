"""What lets calls be repeated after a restart."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "receipts",
        sa.Column("call", sa.LargeBinary(), primary_key=True),
        sa.Column("request", sa.LargeBinary(), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("table_name", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Index("receipts_by_age", "made_at"),
    )
