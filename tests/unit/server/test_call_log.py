"""How many lines refused calls have, and that none is lost without a trace."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Iterator

import pytest
import structlog

from server import logs
from server.rpc.call_log import MOST, CallLog

PATH = "/ohhell.v1.TableService/JoinTable"


class Lines(io.StringIO):
    """A log that tells when something is left out."""

    def __init__(self) -> None:
        super().__init__()
        self.left_out = asyncio.Event()

    def write(self, line: str) -> int:
        if "left out" in line:
            self.left_out.set()
        return super().write(line)

    def entries(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]


PEER = "ipv4:127.0.0.1:1234"


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """The log of a test is closed after it, and later tests have something to log."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


def end(log: CallLog, code: str, times: int = 1) -> None:
    for _ in range(times):
        log.ended(
            PATH, code, peer=PEER, request=None, seconds=0.001, caller=lambda: "guest"
        )


async def test_a_flood_of_refused_calls_is_counted_and_not_told_one_by_one() -> None:
    lines = Lines()
    logs.configure("info", lines)
    log = CallLog((), within_s=0.02)
    end(log, "PERMISSION_DENIED", MOST + 30)
    end(log, "NOT_FOUND")
    end(log, "OK", MOST + 5)
    await lines.left_out.wait()
    told = [entry["code"] for entry in lines.entries() if entry["event"] == "rpc"]
    assert told == ["PERMISSION_DENIED"] * MOST + ["NOT_FOUND"] + ["OK"] * (MOST + 5)
    (rest,) = [entry for entry in lines.entries() if entry["event"] != "rpc"]
    assert (rest["method"], rest["code"], rest["times"]) == (
        *(PATH, "PERMISSION_DENIED"),
        30,
    )
    # It begins anew.
    end(log, "PERMISSION_DENIED")
    assert lines.entries()[-1]["code"] == "PERMISSION_DENIED"


async def test_what_is_asked_all_the_time_is_told_at_level_debug_or_when_refused() -> (
    None
):
    for level, expected in (("info", ["ABORTED"]), ("debug", ["OK", "ABORTED"])):
        lines = Lines()
        logs.configure(level, lines)
        log = CallLog({PATH})
        assert log.tells_success(PATH) is (level == "debug")
        for code in ("OK", "ABORTED"):
            end(log, code)
        assert [entry["code"] for entry in lines.entries()] == expected
    lines = Lines()
    logs.configure("warning", lines)
    end(CallLog(()), "ABORTED")
    assert not lines.getvalue()
