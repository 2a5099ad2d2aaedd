"""What the runner and a keeper say to each other: one JSON line each way."""

import json
from collections.abc import Callable
from typing import NamedTuple


class Start(NamedTuple):
    """The first line to a keeper: the one bot process it is there for."""

    command: list[str]
    directory: str
    environment: dict[str, str]
    token: str | None
    out_log: str
    err_log: str
    limits: dict[str, int]
    """Resource name without `RLIMIT_` to soft and hard limit."""
    identity: list[int] | None
    """User and group to become, or nothing to stay as we are."""


class Stop(NamedTuple):
    """SIGTERM now, everything killed after `grace` seconds."""

    grace: float


class Ready(NamedTuple):
    """The root is up; `contains` says whether no descendant can leave it."""

    contains: bool


class Started(NamedTuple):
    """The command is running: `exec` has succeeded."""

    pid: int


class Failed(NamedTuple):
    """The command could not be run: which step, and its errno."""

    step: str
    errno: int


class Exited(NamedTuple):
    """The bot and everything it started are gone."""

    status: int
    """Exit code, or minus the signal that ended the process."""
    last_lines: str
    log_error: str | None


Message = Start | Stop | Ready | Started | Failed | Exited

_KINDS: dict[str, Callable[..., Message]] = {
    kind.__name__: kind for kind in (Start, Stop, Ready, Started, Failed, Exited)
}


def encode(message: Message) -> bytes:
    """Give the message as one line."""
    return json.dumps([type(message).__name__, *message]).encode() + b"\n"


def decode(line: bytes) -> Message:
    """Read what `encode` wrote."""
    name, *fields = json.loads(line)
    return _KINDS[name](*fields)
