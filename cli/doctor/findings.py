"""What a doctor has to say: a finding for each thing that was looked at."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How much a finding matters."""

    OK = "ok"
    NOTE = "note"
    """It works, and still somebody may want to know."""
    WRONG = "wrong"
    """Something cannot work like this."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`remedy` says what would be right; a finding that is OK has none."""

    check: str
    verdict: Verdict
    said: str
    remedy: str = ""

    def document(self) -> dict[str, str]:
        """The same for programs."""
        return asdict(self)


def ok(check: str, said: str) -> Finding:
    """Nothing is to be done."""
    return Finding(check, Verdict.OK, said)


def note(check: str, said: str, remedy: str) -> Finding:
    """Something may be done."""
    return Finding(check, Verdict.NOTE, said, remedy)


def wrong(check: str, said: str, remedy: str) -> Finding:
    """Something has to be done."""
    return Finding(check, Verdict.WRONG, said, remedy)
