"""Which bots meet at which table, as pure functions of the index of a block."""

from tournament.schedule.designs import Balance, Design, Kind, Span, design
from tournament.schedule.port import (
    Block,
    Draw,
    OrderDraws,
    Schedule,
    UnplayableField,
)
from tournament.schedule.round_robin import RoundRobin, round_robin

__all__ = [
    "Balance",
    "Block",
    "Design",
    "Draw",
    "Kind",
    "OrderDraws",
    "RoundRobin",
    "Schedule",
    "Span",
    "UnplayableField",
    "design",
    "round_robin",
]
