"""What a restarted server needs to go on with a table.

Tables of the first version lack it, so those that had not ended are cancelled. Records
of ended ones become entries, as the log has them. Who might look on was not kept: from
now on those tables are for the holders of their seats' tokens.
"""

from __future__ import annotations

import json
import struct
from typing import Any

import sqlalchemy as sa
from alembic import op

from engine.match import Match
from engine.record import Record, match_of, parse_record
from engine.rules import Rules

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_tables = sa.table(
    "served_tables",
    sa.column("id", sa.Integer),
    sa.column("state", sa.String),
    sa.column("players", sa.Integer),
    sa.column("rules", sa.Text),
    sa.column("setup", sa.Text),
    sa.column("result", sa.Text),
    sa.column("listed", sa.Boolean),
    sa.column("record", sa.LargeBinary),
    sa.column("entries", sa.LargeBinary),
)
_seats = sa.table(
    "seats",
    sa.column("table_id", sa.Integer),
    sa.column("seat", sa.Integer),
    sa.column("player", sa.String),
    sa.column("kind", sa.String),
)


def upgrade() -> None:
    with op.batch_alter_table("served_tables") as tables:
        tables.add_column(sa.Column("listed", sa.Boolean()))
        tables.add_column(sa.Column("entries", sa.LargeBinary()))
    with op.batch_alter_table("seats") as seats:
        seats.add_column(sa.Column("kind", sa.String(length=16)))
        seats.add_column(sa.Column("ticket_hash", sa.LargeBinary()))
        seats.alter_column("token_hash", existing_type=sa.LargeBinary(), nullable=True)
    connection = op.get_bind()
    connection.execute(_seats.update().values(kind="person"))
    for number in connection.scalars(sa.select(_tables.c.id)).all():
        _convert(connection, number)
    with op.batch_alter_table("seats") as seats:
        seats.alter_column("kind", existing_type=sa.String(length=16), nullable=False)
    with op.batch_alter_table("served_tables") as tables:
        tables.alter_column("listed", existing_type=sa.Boolean(), nullable=False)
        tables.drop_column("record")


def _convert(connection: sa.Connection, number: int) -> None:
    one = _tables.c.id == number
    row = connection.execute(sa.select(_tables).where(one)).mappings().one()
    record = parse_record(bytes(row["record"]).decode()) if row["record"] else None
    values: dict[str, Any] = {"listed": False, "setup": _setup(row, record)}
    if record is None:
        values["state"] = "cancelled"
    else:
        match = match_of(record)
        values["entries"] = b"".join(
            struct.pack("<I", len(entry)) + entry
            for entry in match.log.encoded_after(0)
        )
        values["result"] = _result(match)
    connection.execute(_tables.update().where(one).values(values))
    taken = set(
        connection.scalars(sa.select(_seats.c.seat).where(_seats.c.table_id == number))
    )
    for seat in range(row["players"]):
        if seat not in taken:
            player = record.players[seat] if record else ""
            values = {"table_id": number, "seat": seat, "player": player}
            kind = "person" if record else "free"
            connection.execute(_seats.insert().values(**values, kind=kind))


def _setup(row: sa.RowMapping, record: Record | None) -> str:
    amendments = True
    if record is not None:
        asked = json.loads(row["rules"])
        rules = Rules.of(asked["preset"], asked["overrides"], players=row["players"])
        amendments = rules == record.rules
    no_clock = dict.fromkeys(
        ("per_decision_ms", "bank_ms", "increment_ms", "grace_ms"), 0
    )
    return json.dumps(
        {
            "display_name": "",
            "clock": no_clock,
            "idle_ms": 0,
            "amendments": amendments,
            "spectators": "OFF",
            "owner": "",
            "first_dealer": record.first_dealer if record else 0,
        }
    )


def _result(match: Match) -> str | None:
    result = match.result
    if result is None:
        return None
    return json.dumps(
        {
            "why": "PLAYED",
            "scores": list(result.totals),
            "winners": list(result.winners),
            "ranks": list(result.ranks),
            "faults": [{}] * match.players,
            "seq": match.seq,
            "totals": list(match.scores),
        }
    )
