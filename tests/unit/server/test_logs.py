"""What must never be in a log."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from server import logs


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """The log of a test is closed after it, and later tests have something to log."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.mark.parametrize(
    "said",
    [
        {"token": "anything"},
        {"hand": [1, 2, 3]},
        {"note": "metadata was Bearer ohb_abcdef"},
        {"note": "ohs_abcdef"},
    ],
)
def test_secrets_are_blanked_by_key_and_by_how_tokens_begin(
    said: dict[str, object],
) -> None:
    out = io.StringIO()
    logs.configure("info", out)
    structlog.get_logger("test").info("something", table="t", **said)
    (line,) = out.getvalue().splitlines()
    entry = json.loads(line)
    assert entry[next(iter(said))] == logs.REDACTED
    assert (entry["event"], entry["table"]) == ("something", "t")


def test_an_error_is_logged_by_type_and_place_without_its_text() -> None:
    def deal() -> None:
        raise ValueError("the hand was AS KD")

    with pytest.raises(ValueError, match="KD") as caught:
        deal()
    placed = logs.place(caught.value)
    assert placed["error"] == "ValueError"
    assert "test_logs.py" in placed["where"]
    assert "KD" not in str(placed)


def test_a_log_that_cannot_be_written_stops_nothing() -> None:
    with logs.opened(Path("/dev/full")) as full:
        logs.configure("info", full)
        structlog.get_logger("server").warning("event loop late", ms=5)
    # Whoever comes late with a line finds the log closed.
    structlog.get_logger("server").warning("event loop late", ms=5)
