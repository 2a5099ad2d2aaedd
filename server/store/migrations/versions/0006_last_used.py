"""When a token was used last."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("bot_tokens", sa.Column("last_used_at", sa.BigInteger()))
