"""Which cards may be played, and why another one may not.

`legal_kinds` is the only statement of the duties of play: lists of legal cards, checks
and refusals all ask it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

from engine.errors import Code
from engine.pack import BIT, Pack
from engine.parameters import JokerMode, JokerOppositeScope
from engine.trick import JokerCall

if TYPE_CHECKING:
    from mypy_extensions import i64

    from engine.rules import Rules


class CallRule(IntEnum):
    """What a joker played now needs; the numbers are those of the wire."""

    NONE = 1
    REQUIRED = 2
    FIXED_HIGH = 3
    FIXED_LOW = 4


class Duties:
    """The rules that decide legality with one pack; immutable."""

    __slots__ = (
        "added_mask",
        "all_mask",
        "called_mask",
        "calls_anew",
        "is_plain",
        "must_head",
        "must_overtrump",
        "must_trump",
        "suit",
        "suit_mask",
    )

    def __init__(self, rules: Rules, pack: Pack) -> None:
        self.suit: Final = pack.suit
        self.suit_mask: Final = pack.suit_mask
        self.all_mask: Final[i64] = pack.all_mask
        self.must_head: Final = rules.must_head
        self.must_trump: Final = rules.must_trump
        self.must_overtrump: Final = rules.must_overtrump
        calls = rules.joker_mode is JokerMode.HIGH_LOW
        # Jokers that are called when they are played.
        self.called_mask: Final[i64] = pack.joker_mask if calls else 0
        self.calls_anew: Final = rules.joker_opposite_scope is JokerOppositeScope.TRICK
        # Cards outside the suits, which may be added to what the duties leave.
        self.added_mask: Final[i64] = (
            self.called_mask | pack.wizard_mask | pack.jester_mask
        )
        # Nothing is asked but to follow suit.
        self.is_plain: Final = not (
            rules.must_head or rules.must_trump or self.added_mask
        )


def legal_kinds(
    duties: Duties,
    held: i64,
    trump: i64,
    suit: i64,
    beats: i64,
    trick: i64,
) -> i64:
    """Kinds of `held` that may be played to trick number `trick`, counted from 1.

    `suit` and `beats` are those of `trick.on_table`.
    """
    if duties.is_plain:
        # What follows comes to the same, at three times the price.
        return held & duties.suit_mask[suit] or held
    added = held & duties.added_mask
    if not added:
        return _obedient(duties, held, trump, suit, beats)
    suited = held & ~added
    if not duties.called_mask:
        # Where nothing is to be followed, anything may be played.
        return added | _obedient(duties, suited, trump, suit, beats)
    # A called joker is neither led nor played to the first trick but from a hand of
    # jokers. Every card would win on an empty table, and on no other.
    if suited and (trick == 1 or beats == duties.all_mask):
        return _obedient(duties, suited, trump, suit, beats)
    return added | _obedient(duties, suited, trump, suit, beats)


def _obedient(duties: Duties, held: i64, trump: i64, suit: i64, beats: i64) -> i64:
    """Follow suit, and head if asked to; else trump, if asked to; else anything."""
    if not duties.suit_mask[suit]:
        return held
    follow = held & duties.suit_mask[suit]
    if follow:
        return (duties.must_head and follow & beats) or follow
    trumps = held & duties.suit_mask[trump]
    if trumps and duties.must_trump:
        return (duties.must_overtrump and trumps & beats) or trumps
    return held


def refusal_of_card(
    duties: Duties, held: int, k: int, *, trump: int, suit: int
) -> Code:
    """Why a kind that is held is not among the legal ones."""
    if BIT[k] & duties.called_mask:
        return Code.JOKER_NOT_ALLOWED
    if held & ~duties.added_mask & duties.suit_mask[suit]:
        return Code.MUST_HEAD if duties.suit[k] == suit else Code.MUST_FOLLOW
    return Code.MUST_OVERTRUMP if duties.suit[k] == trump else Code.MUST_TRUMP


def call_rule(duties: Duties, called: JokerCall) -> CallRule:
    """What a joker played now needs; `called` is the last call that still holds."""
    if not duties.called_mask:
        return CallRule.NONE
    match called:
        case JokerCall.NONE:
            return CallRule.REQUIRED
        case JokerCall.LOW:
            return CallRule.FIXED_HIGH
        case JokerCall.HIGH:
            return CallRule.FIXED_LOW


def refusal_of_call(rule: CallRule, call: object) -> Code | None:
    """Why a call (None: none was made) is refused; `rule` is NONE for other cards."""
    made = call is not None and call is not JokerCall.NONE
    match rule:
        case CallRule.NONE:
            return Code.CALL_NOT_ALLOWED if made else None
        case CallRule.FIXED_HIGH | CallRule.FIXED_LOW:
            return Code.CALL_FIXED if made else None
        case CallRule.REQUIRED:
            if not made:
                return Code.CALL_REQUIRED
            return None if isinstance(call, JokerCall) else Code.BAD_CALL
