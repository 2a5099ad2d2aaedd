"""What the engine raises.

EngineError
├── IllegalRules    a rule set that cannot be played, with every reason at once
├── NotationError   text, or a code, that is no card, suit or call
├── RecordError     a record that cannot be read or does not follow its own rules
└── Refusal         a command that is not allowed now; nothing has changed
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Code(StrEnum):
    """Why a command or a rule set is refused; the names are part of the wire."""

    BAD_SEAT = "BAD_SEAT"
    WRONG_PHASE = "WRONG_PHASE"
    WRONG_BID_MODE = "WRONG_BID_MODE"
    NOT_BIDDING = "NOT_BIDDING"
    BID_LOCKED = "BID_LOCKED"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    BID_NOT_INTEGER = "BID_NOT_INTEGER"
    BID_OUT_OF_RANGE = "BID_OUT_OF_RANGE"
    BID_HOOKED = "BID_HOOKED"
    BAD_BID_CARDS = "BAD_BID_CARDS"
    BAD_CLAIM = "BAD_CLAIM"
    BAD_TRUMP_CHOICE = "BAD_TRUMP_CHOICE"
    CARD_NOT_HELD = "CARD_NOT_HELD"
    CARD_HIDDEN = "CARD_HIDDEN"
    OUT_OF_ORDER = "OUT_OF_ORDER"
    JOKER_NOT_ALLOWED = "JOKER_NOT_ALLOWED"
    MUST_FOLLOW = "MUST_FOLLOW"
    MUST_HEAD = "MUST_HEAD"
    MUST_TRUMP = "MUST_TRUMP"
    MUST_OVERTRUMP = "MUST_OVERTRUMP"
    CALL_REQUIRED = "CALL_REQUIRED"
    BAD_CALL = "BAD_CALL"
    CALL_FIXED = "CALL_FIXED"
    CALL_NOT_ALLOWED = "CALL_NOT_ALLOWED"
    BAD_PLAYER_COUNT = "BAD_PLAYER_COUNT"
    BAD_CONFIG = "BAD_CONFIG"


class Violation(NamedTuple):
    """One reason why a rule set cannot be played, and what would be right.

    `rule` is the number of the combination rule in docs/rules.md, or "domain" for a
    value, or a name, that is wrong by itself; `value` is the JSON text of the value.
    """

    code: Code
    rule: str
    parameter: str
    value: str
    message: str


class EngineError(Exception):
    """Root of everything the engine raises on purpose."""


class IllegalRules(EngineError):
    """The first violation decides `code`."""

    def __init__(self, violations: tuple[Violation, ...]) -> None:
        super().__init__("; ".join(violation.message for violation in violations))
        self.violations = violations

    @property
    def code(self) -> Code:
        return self.violations[0].code

    def __reduce__(self) -> tuple[type[IllegalRules], tuple[object, ...]]:
        return type(self), (self.violations,)


class NotationError(EngineError):
    """The message names the text and the forms that would have been right."""


class RecordError(EngineError):
    """The message names the place in the record and what was expected there."""


class Refusal(EngineError):
    """`details` holds the facts that help to send a better command, by name."""

    def __init__(
        self,
        code: Code,
        message: str,
        details: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.details: Mapping[str, object] = dict(details or {})

    def __reduce__(self) -> tuple[type[Refusal], tuple[object, ...]]:
        return type(self), (self.code, self.message, self.details)
