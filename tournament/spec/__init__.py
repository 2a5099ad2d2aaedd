"""The spec of a tournament: TOML in, a frozen value out."""

from tournament.spec.model import (
    Command,
    Dialled,
    Duplicate,
    Entrant,
    House,
    Protocol,
    ScheduleKind,
    Source,
    Spec,
)
from tournament.spec.parse import LONGEST_NAME, parse_spec, read_spec, stored_spec
from tournament.spec.reading import IllegalSpec, Mistake
from tournament.spec.template import starter_spec

__all__ = [
    "LONGEST_NAME",
    "Command",
    "Dialled",
    "Duplicate",
    "Entrant",
    "House",
    "IllegalSpec",
    "Mistake",
    "Protocol",
    "ScheduleKind",
    "Source",
    "Spec",
    "parse_spec",
    "read_spec",
    "starter_spec",
    "stored_spec",
]
