"""What a restarted server needs to go on with a table.

Tables of the first version lack it, so those that had not ended are cancelled. Records
of ended ones become entries, as the log has them.
"""

import struct

import sqlalchemy as sa
from alembic import op

from engine.record import match_of, parse_record

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("served_tables") as tables:
        tables.add_column(sa.Column("listed", sa.Boolean()))
        tables.add_column(sa.Column("entries", sa.LargeBinary()))
    _convert()
    with op.batch_alter_table("served_tables") as tables:
        tables.alter_column("listed", existing_type=sa.Boolean(), nullable=False)
        tables.drop_column("record")
    with op.batch_alter_table("seats") as seats:
        seats.add_column(sa.Column("kind", sa.String(length=16)))
        seats.add_column(sa.Column("ticket_hash", sa.LargeBinary()))
        seats.alter_column("token_hash", existing_type=sa.LargeBinary(), nullable=True)
    op.execute("UPDATE seats SET kind = 'person'")
    with op.batch_alter_table("seats") as seats:
        seats.alter_column("kind", existing_type=sa.String(length=16), nullable=False)


def _convert() -> None:
    tables = sa.table(
        "served_tables",
        sa.column("id", sa.Integer),
        sa.column("state", sa.String),
        sa.column("listed", sa.Boolean),
        sa.column("record", sa.LargeBinary),
        sa.column("entries", sa.LargeBinary),
    )
    connection = op.get_bind()
    connection.execute(tables.update().values(listed=False))
    connection.execute(
        tables.update()
        .where(tables.c.state.in_(("open", "running")))
        .values(state="cancelled")
    )
    wanted = sa.select(tables.c.id).where(tables.c.record.is_not(None))
    for number in connection.scalars(wanted).all():
        one = tables.c.id == number
        record = connection.scalar(sa.select(tables.c.record).where(one))
        if record is None:
            continue
        match = match_of(parse_record(bytes(record).decode()))
        entries = b"".join(
            struct.pack("<I", len(entry)) + entry
            for entry in match.log.encoded_after(0)
        )
        connection.execute(tables.update().where(one).values(entries=entries))
