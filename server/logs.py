"""Structured logs: one JSON object a line, with secrets taken out first."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import structlog

from server.observe import Observer
from server.tokens import BEGINNINGS

if TYPE_CHECKING:
    from server.guard import Fault
    from server.table import Table

LEVELS = ("debug", "info", "warning", "error")
SECRET_KEYS = frozenset(
    {
        "authorization",
        "cards",
        "deck",
        "hand",
        "legal_cards",
        "plays",
        "seed",
        "ticket",
        "token",
        "upcard",
        "view",
    }
)
REDACTED = "[redacted]"

Event = MutableMapping[str, Any]


def redact(_logger: object, _method: str, event: Event) -> Event:
    """Blanks values that could hold a secret, by key and by how tokens begin."""
    for key, value in event.items():
        if key in SECRET_KEYS or _holds_token(value):
            event[key] = REDACTED
    return event


def _holds_token(value: object) -> bool:
    """Whether it does, however deep."""
    if isinstance(value, bool | int | float | None):
        return False
    text = value if isinstance(value, str) else repr(value)
    return any(beginning in text for beginning in BEGINNINGS)


def opened(path: Path) -> TextIO:
    """Open a file to log to, without a buffer that would keep what a disk refused."""
    return io.TextIOWrapper(
        path.open("ab", buffering=0), encoding="utf-8", write_through=True
    )


class _Lines:
    """Writes lines; one that a full disk or a closed pipe or file refuses is lost.

    Facts are logged where moves are made: no table may end for want of a line.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def msg(self, line: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._file.write(f"{line}\n")
            self._file.flush()

    debug = info = warning = error = msg


def configure(level: str = "info", file: TextIO = sys.stderr) -> None:
    """Sets up logging for the whole process; `level` is one of LEVELS."""
    structlog.configure(
        processors=[
            redact,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: _Lines(file),
        cache_logger_on_first_use=False,
    )


class FactLog(Observer):
    """Logs what is rare: tables, streams, faults; never a decision."""

    def __init__(self) -> None:
        self._log = structlog.get_logger("server")

    def faulted(self, table: Table, seat: int, fault: Fault) -> None:
        self._log.info(
            "fault",
            table=table.setup.table,
            seat=seat,
            bot=table.setup.players[seat],
            fault=str(fault),
            seq=table.match.seq,
        )

    def table_state(self, table: Table, before: str) -> None:
        self._log.debug(
            "table", table=table.setup.table, before=before, state=str(table.state)
        )

    def table_failed(self, table: Table, error: BaseException) -> None:
        self._log.error("table failed", table=table.setup.table, **place(error))

    def unexpected(self, where: str, error: BaseException) -> None:
        self._log.error("unexpected", part=where, **place(error))

    def store_failed(self, error: BaseException) -> None:
        self._log.error("store failed", reason=str(error))

    def store_recovered(self) -> None:
        self._log.warning("store recovered")

    def table_left(self, table: str, why: str) -> None:
        self._log.error("table not taken up", table=table, reason=why)

    def stream_opened(self, bot: str, resumed: int) -> None:
        self._log.info("stream opened", bot=bot, seats=resumed)

    def stream_closed(self, bot: str, why: str) -> None:
        self._log.info("stream closed", bot=bot, reason=why)

    def lagged(self, seconds: float) -> None:
        if seconds > 0.05:
            self._log.warning("event loop late", ms=int(seconds * 1000))


def place(error: BaseException) -> dict[str, str]:
    """Type and place of an error, without its text: that may name cards."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        frames.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}")
        trace = trace.tb_next
    return {"error": type(error).__name__, "where": " > ".join(frames[-8:])}
