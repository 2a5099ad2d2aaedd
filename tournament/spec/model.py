"""What a tournament is, as a frozen value: everything that decides its results."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias, assert_never

from engine.rules import Rules
from server.address import Address
from server.clock import TimeControl
from tournament.launcher import Confinement
from tournament.spec import toml
from tournament.spec.confining import confinement_keys


class Protocol(StrEnum):
    """What a started program speaks."""

    GRPC = "grpc"
    """It dials in by itself."""
    STDIO = "stdio"
    """Lines on standard input and output; a bridge dials in for it."""


class ScheduleKind(StrEnum):
    ROUND_ROBIN = "round_robin"


class Duplicate(StrEnum):
    """Whether the copies of a block share their deals, or each has its own."""

    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class House:
    """A bot that comes with the program; `in_process` plays it without a process."""

    house: str
    in_process: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A program to be started; `command[0]` is looked up in PATH or beside the spec."""

    command: tuple[str, ...]
    env: tuple[tuple[str, str], ...]
    protocol: Protocol = Protocol.GRPC


@dataclass(frozen=True, slots=True)
class Dialled:
    """A bot that is a server, and runs already: one process for each lane."""

    addresses: tuple[Address, ...]
    tls: bool = False
    ca_file: str = ""
    """Certificates to trust; where it is empty, those of this machine."""


Source: TypeAlias = House | Command | Dialled
"""Where the moves of an entrant come from."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """`trusted` bots may meet the same deal several times in one process.

    The matches of a block are spread over `lanes` processes, 1 to the number of seats.
    """

    name: str
    source: Source
    trusted: bool
    lanes: int

    def lane_of(self, copy: int) -> int:
        """Give the process that plays a copy of every block."""
        return copy % self.lanes


USUAL_TIME = TimeControl(
    per_decision_ms=1_000, bank_ms=10_000, increment_ms=0, grace_ms=50
)
"""What a decision and a match may cost a bot where the spec does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """A tournament before it is played; `folder` is where commands are started."""

    name: str
    seed: int | None
    seats: int
    preset: str
    overrides: Mapping[str, object]
    rules: Rules
    entrants: tuple[Entrant, ...]
    duplicate: Duplicate
    schedule: ScheduleKind
    blocks: int
    decide: tuple[str, str] | None = None
    """Two bots by name: the run ends once it is decided which of them is better."""
    lookahead: int
    time: TimeControl
    concurrency: int
    confinement: Confinement
    folder: Path

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the entrants, in the order of the spec."""
        return tuple(entrant.name for entrant in self.entrants)

    @property
    def rules_hash(self) -> str:
        return self.rules.hash(self.seats)

    @property
    def expanded(self) -> str:
        """The spec with every default written out, as canonical TOML.

        `concurrency` and `folder` are left out: they decide how long a tournament
        takes and where it lies, never how it ends.
        """
        top: dict[str, object] = {"name": self.name}
        if self.seed is not None:
            top["seed"] = self.seed
        top |= {
            "seats": self.seats,
            "duplicate": self.duplicate.value,
            "lookahead": self.lookahead,
        }
        rules = {"preset": self.preset, "hash": self.rules_hash}
        time = {
            key: getattr(self.time, key)
            for key in ("per_decision_ms", "bank_ms", "increment_ms", "grace_ms")
        }
        schedule: dict[str, object] = {
            "kind": self.schedule.value,
            "blocks": self.blocks,
        }
        if self.decide is not None:
            schedule["decide"] = list(self.decide)
        confined = confinement_keys(self.confinement)
        tables: list[tuple[str, Mapping[str, object]]] = [
            ("", top),
            ("[rules]", rules),
            ("[rules.overrides]", dict(sorted(self.overrides.items()))),
            ("[schedule]", schedule),
            ("[time]", time),
            *([("[confinement]", confined)] if confined else []),
            *(("[[bots]]", _entrant_keys(entrant)) for entrant in self.entrants),
        ]
        return toml.document(tables)

    @property
    def digest(self) -> str:
        """16 hex digits of the SHA-256 of the expanded spec."""
        return hashlib.sha256(self.expanded.encode()).hexdigest()[:16]


def _entrant_keys(entrant: Entrant) -> dict[str, object]:
    keys: dict[str, object] = {"name": entrant.name}
    match entrant.source:
        case House(house, in_process):
            keys |= {"house": house, "in_process": in_process}
        case Command(command, env, protocol):
            keys |= {"command": list(command), "env": dict(env)}
            if protocol is not Protocol.GRPC:
                keys["protocol"] = protocol.value
        case Dialled(addresses, tls, ca_file):
            if len(addresses) == 1:
                keys |= {"address": str(addresses[0])}
            else:
                keys |= {"addresses": [str(address) for address in addresses]}
            if ca_file:
                keys["ca_file"] = ca_file
            elif tls:
                keys["tls"] = True
        case _:
            assert_never(entrant.source)
    keys["trusted"] = entrant.trusted
    if not isinstance(entrant.source, Dialled):
        keys["lanes"] = entrant.lanes
    return keys
