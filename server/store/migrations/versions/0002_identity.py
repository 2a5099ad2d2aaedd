"""Tokens of bots may be bound to a lane."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("bot_tokens") as tokens:
        tokens.add_column(sa.Column("lane", sa.Integer(), nullable=True))
