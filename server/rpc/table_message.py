"""How a table is shown to those who ask for it, play there or not."""

from __future__ import annotations

from ohhell.v1 import tables_pb2
from server.rpc import wire
from server.rpc.untyped import Untyped
from server.served import LobbyTable


def write_table(message: Untyped, table: LobbyTable) -> None:
    """Fills an empty Table."""
    message.table = table.id
    message.display_name = table.display_name
    message.state = tables_pb2.TableState.Value(f"TABLE_STATE_{table.state}")
    seats = len(table.seats)
    wire.write_rules(message.rules, table.rules, seats, preset=table.preset)
    wire.write_clock(message.clock, table.clock)
    message.amendments = table.amendments
    message.spectators = tables_pb2.SpectatorPolicy.Value(
        f"SPECTATOR_POLICY_{table.spectators}"
    )
    message.players.extend(table.players)
    message.presence.extend(table.presence)
    message.seq = table.seq
    if not table.embargoed:
        message.scores.extend(table.scores)
    message.commitment = table.commitment
