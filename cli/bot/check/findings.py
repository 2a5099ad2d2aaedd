"""What a check has to say: a finding for each case, with the failures behind it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum


class Verdict(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    """The case was not met, or cannot be tried with this bot."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that went wrong; what does not apply is empty."""

    what: str
    prompt: str = ""
    answer: str = ""
    rule: str = ""
    preset: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one case."""

    case: str
    about: str
    verdict: Verdict
    detail: str
    failures: tuple[Failure, ...]
    seconds: float

    def document(self) -> dict[str, object]:
        """The same for programs."""
        return {**asdict(self), "seconds": round(self.seconds, 3)}


class Outcome:
    """Collects what a case finds while it is tried."""

    def __init__(self) -> None:
        self.failures: list[Failure] = []
        self.detail = ""
        self.skipped = False

    def fail(self, failure: Failure) -> None:
        self.failures.append(failure)

    def skip(self, why: str) -> None:
        self.skipped = True
        self.detail = why

    @property
    def verdict(self) -> Verdict:
        if self.failures:
            return Verdict.FAILED
        return Verdict.SKIPPED if self.skipped else Verdict.PASSED
