"""Every reason for which something is refused: its status, and what to do about it.

The one table of them. Refusals take their status from it, and the reference of errors
is made from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from grpc import StatusCode


class Again(StrEnum):
    """Whether a caller may send the same once more."""

    NO = "no"
    ANEW = "after looking"
    """Once the caller has seen how things stand now."""
    LATER = "later"
    """After the time that RetryInfo tells, or after a while."""


class Reason(NamedTuple):
    """`status` is None for what is only told in frames of a stream."""

    status: StatusCode | None
    when: str
    then: str
    again: Again = Again.NO


_INVALID: Final = StatusCode.INVALID_ARGUMENT
_NOT_NOW: Final = StatusCode.FAILED_PRECONDITION
_DENIED: Final = StatusCode.PERMISSION_DENIED
_STRANGER: Final = StatusCode.UNAUTHENTICATED
_TOO_MUCH: Final = StatusCode.RESOURCE_EXHAUSTED
_AWAY: Final = StatusCode.UNAVAILABLE

_CALLERS: Final[Mapping[str, Reason]] = {
    "TOKEN_MISSING": Reason(
        _STRANGER,
        "the call shows no token, and needs one",
        "send it as metadata `authorization`",
    ),
    "TOKEN_INVALID": Reason(
        _STRANGER,
        "the token is garbled, unknown, revoked, or its time is over",
        "get another from an operator",
    ),
    "SCOPE_MISSING": Reason(
        _DENIED,
        "the token does not allow this; `scope` is what it lacks",
        "use a token with that scope",
    ),
    "BOT_DISABLED": Reason(
        _DENIED, "an operator keeps the bot out", "ask the operator"
    ),
    "LANE_NOT_YOURS": Reason(
        _DENIED,
        "the hello names another lane than the token's",
        "run one process a lane, each with its token",
    ),
    "NOT_YOUR_SEAT": Reason(
        _DENIED,
        "the seat's token is for another seat or table",
        "use the token that JoinTable gave",
    ),
    "NOT_YOUR_TABLE": Reason(
        _DENIED, "only who opened a table cancels it", "ask its owner"
    ),
    "RESOURCE_NOT_VISIBLE": Reason(
        _DENIED,
        "there is no such table for this caller, or it shows nothing yet",
        "use a token of its owner or of a seat, or wait for its end",
    ),
    "EMBARGOED": Reason(
        _DENIED,
        "the same deals are still played at another table",
        "ask again once that match is over",
        Again.LATER,
    ),
    "TICKET_MISSING": Reason(
        _DENIED, "a seat there needs a ticket", "get one from who opened the table"
    ),
    "TICKET_INVALID": Reason(
        _DENIED,
        "the ticket is for another table or seat, or was used",
        "get another from who opened the table",
    ),
}
_REQUESTS: Final[Mapping[str, Reason]] = {
    "MALFORMED_MESSAGE": Reason(
        _INVALID,
        "the bytes are no message of this method",
        "generate the client from the protocol's files",
    ),
    "FIELD_INVALID": Reason(
        _INVALID,
        "fields break a rule of size, pattern or enumeration; BadRequest lists them",
        "correct every field that is listed",
    ),
    "PAGE_TOKEN_INVALID": Reason(
        _INVALID,
        "the page token is of another caller or filter, or was changed",
        "begin with the first page",
    ),
    "REQUEST_ID_REUSED": Reason(
        _INVALID,
        "the request id stood for another request in the last day",
        "make a new id for every new request",
    ),
    "TABLE_NOT_FOUND": Reason(
        StatusCode.NOT_FOUND, "there is no such table", "look at ListTables"
    ),
    "TABLE_NOT_OPEN": Reason(
        _NOT_NOW, "the table is over", "join, or open, another one"
    ),
    "TABLE_NOT_RUNNING": Reason(
        _NOT_NOW,
        "the match has not begun",
        "wait until all seats are taken",
        Again.LATER,
    ),
    "TABLE_FINISHED": Reason(_NOT_NOW, "the match is over", "act no more"),
    "TABLE_NOT_FINISHED": Reason(
        _NOT_NOW,
        "a record is there once the match was played to its end",
        "ask again after it",
        Again.LATER,
    ),
    "TABLE_FULL": Reason(_NOT_NOW, "every seat is taken", "join another table"),
    "SEAT_TAKEN": Reason(
        StatusCode.ALREADY_EXISTS, "the seat is taken", "name another, or none"
    ),
    "UNKNOWN_HOUSE_BOT": Reason(
        _INVALID, "there is no such house bot", "take one that GetServerInfo lists"
    ),
    "TOO_MANY_HOUSE_BOTS": Reason(
        _INVALID, "there are more house bots than seats", "name fewer"
    ),
    "BOT_NOT_CONNECTED": Reason(
        _NOT_NOW,
        "the bot joins a table without having a stream",
        "connect first",
        Again.LATER,
    ),
    "RULES_DECLINED": Reason(
        _NOT_NOW,
        "the bot's hello declines such rules",
        "join a table with other rules",
    ),
    "SEQ_IN_FUTURE": Reason(
        StatusCode.OUT_OF_RANGE,
        "the watch, or the acknowledgement, is beyond `last_seq`",
        "begin at the last entry that came",
    ),
    "UNKNOWN_METHOD": Reason(
        StatusCode.UNIMPLEMENTED,
        "this port has no such method",
        "look at the port, and at the name",
    ),
    "NOT_BUILT": Reason(
        StatusCode.UNIMPLEMENTED,
        "the protocol has it, and this version does not",
        "do without",
    ),
}
_DECISIONS: Final[Mapping[str, Reason]] = {
    "ACTION_MISSING": Reason(
        _INVALID,
        "the answer holds no action",
        "send a bid, card, suit or bid cards",
    ),
    "UNKNOWN_DECISION": Reason(
        _INVALID,
        "the decision, or the attempt, was never offered",
        "answer what the prompt names",
    ),
    "STALE_DECISION": Reason(
        StatusCode.ABORTED,
        "the decision is over or was withdrawn; `decision` is the open one",
        "look, and answer that one",
        Again.ANEW,
    ),
    "DECISION_ALREADY_ANSWERED": Reason(
        StatusCode.ALREADY_EXISTS,
        "another answer was accepted before; `entry` is what it became",
        "go on from there",
    ),
    "DECISION_DEFAULTED": Reason(
        _NOT_NOW,
        "the fallback player decided, because no legal answer came in time",
        "go on from there",
    ),
}
_GAME: Final[Mapping[str, Reason]] = {
    "BAD_SEAT": Reason(_INVALID, "there is no such seat", "name one of the table's"),
    "WRONG_PHASE": Reason(
        _NOT_NOW, "nothing of the kind is due now", "look at `phase`", Again.ANEW
    ),
    "WRONG_BID_MODE": Reason(
        _INVALID,
        "the table takes bids in another form",
        "bid as its `bid_mode` says",
    ),
    "NOT_BIDDING": Reason(
        _NOT_NOW, "the seat has no part in this bidding", "wait for the first card"
    ),
    "BID_LOCKED": Reason(
        _NOT_NOW, "the bid may not be changed, or not any more", "keep the bid"
    ),
    "NOT_YOUR_TURN": Reason(
        _NOT_NOW,
        "another seat is to act; `to_act` lists who",
        "wait for the prompt",
        Again.ANEW,
    ),
    "BID_NOT_INTEGER": Reason(
        _INVALID, "the bid is absent", "write out a bid of zero, too"
    ),
    "BID_OUT_OF_RANGE": Reason(
        _NOT_NOW,
        "the deal has no such bid; `legal_bids` are those it has",
        "take a legal bid",
    ),
    "BID_HOOKED": Reason(
        _NOT_NOW,
        "the last bid would make the sum equal the tricks; see `legal_bids`",
        "take a legal bid",
    ),
    "BAD_BID_CARDS": Reason(
        _INVALID,
        "these cards cannot be laid as a bid",
        "lay three different cards of the hand",
    ),
    "BAD_CLAIM": Reason(_INVALID, "there is no such claim", "send one that is defined"),
    "BAD_TRUMP_CHOICE": Reason(
        _INVALID, "no such suit may be named", "name one of `legal_suits`"
    ),
    "CARD_NOT_HELD": Reason(
        _NOT_NOW, "the card is not in the hand", "take one of `legal_cards`"
    ),
    "CARD_HIDDEN": Reason(
        _INVALID,
        "a card is named that its player cannot see",
        "play without naming one",
    ),
    "OUT_OF_ORDER": Reason(
        _NOT_NOW, "the cards of this deal are played in order", "play the first"
    ),
    "JOKER_NOT_ALLOWED": Reason(
        _NOT_NOW, "a joker may not be played now", "take one of `legal_cards`"
    ),
    "MUST_FOLLOW": Reason(
        _NOT_NOW, "the suit that was led is held", "take one of `legal_cards`"
    ),
    "MUST_HEAD": Reason(
        _NOT_NOW, "a higher card of the suit is held", "take one of `legal_cards`"
    ),
    "MUST_TRUMP": Reason(
        _NOT_NOW, "a trump is held, and is due", "take one of `legal_cards`"
    ),
    "MUST_OVERTRUMP": Reason(
        _NOT_NOW, "a higher trump is held", "take one of `legal_cards`"
    ),
    "CALL_REQUIRED": Reason(_NOT_NOW, "the joker needs a call", "call it high or low"),
    "BAD_CALL": Reason(_INVALID, "there is no such call", "call it high or low"),
    "CALL_FIXED": Reason(_NOT_NOW, "the value of this joker is fixed", "send no call"),
    "CALL_NOT_ALLOWED": Reason(_NOT_NOW, "nothing is called here", "send no call"),
    "BAD_PLAYER_COUNT": Reason(
        _INVALID, "the rules do not allow so many players", "take another number"
    ),
    "BAD_CONFIG": Reason(
        _INVALID,
        "the rules cannot be played as asked for; BadRequest lists why",
        "correct every parameter that is listed",
    ),
}
_LIMITED: Final[Mapping[str, Reason]] = {
    "RATE_LIMITED": Reason(
        _TOO_MUCH, "too many calls; `limit` names it", "call less often", Again.LATER
    ),
    "TOO_MANY_CALLS": Reason(
        _TOO_MUCH,
        "the service has as many single calls in hand as `limit` allows; moves always"
        " come through",
        "send the same again after RetryInfo",
        Again.LATER,
    ),
    "TOO_MANY_TABLES": Reason(
        _TOO_MUCH,
        "too many tables are open; `limit` says of whom",
        "end some",
        Again.LATER,
    ),
    "TOO_MANY_WATCHES": Reason(
        _TOO_MUCH,
        "too many watches, or waits for the turn of a seat; `limit` names it",
        "end some",
        Again.LATER,
    ),
    "TOO_MANY_STREAMS": Reason(
        _TOO_MUCH,
        "the bot has as many processes here as `limit` allows",
        "end some",
        Again.LATER,
    ),
    "FLOOD": Reason(
        _TOO_MUCH,
        "too many frames of a stream answered nothing",
        "answer prompts, once each",
        Again.LATER,
    ),
    "SLOW_CONSUMER": Reason(
        _TOO_MUCH,
        "what was sent was not read in time; seats are kept",
        "go on with a new stream or watch, and read faster",
        Again.LATER,
    ),
}
_STREAMS: Final[Mapping[str, Reason]] = {
    "HELLO_MISSING": Reason(
        _INVALID, "no hello came first, and in time", "begin with a hello"
    ),
    "UNSUPPORTED_REVISION": Reason(
        _NOT_NOW,
        "no revision is spoken by both; `min_revision` to `revision` are spoken here",
        "use a library that speaks one of them",
    ),
    "PROTOCOL": Reason(
        _INVALID,
        "five frames within a minute were no good; each was told in a notice",
        "correct the bot",
    ),
    "SESSION_SUPERSEDED": Reason(
        StatusCode.ABORTED,
        "a newer stream of the same process took over",
        "let that one go on",
    ),
    "HANG": Reason(
        StatusCode.ABORTED,
        "a question stayed without any answer, long after its time",
        "connect again; seats are kept",
        Again.LATER,
    ),
    "SILENT": Reason(
        _AWAY,
        "no frame came for long, not even a pong",
        "connect again; seats are kept",
        Again.LATER,
    ),
    "KICKED": Reason(
        _AWAY, "an operator ended the stream", "connect again", Again.LATER
    ),
    "STREAM_FAILED": Reason(
        _AWAY,
        "a mistake of the service ended the stream",
        "connect again; seats are kept",
        Again.LATER,
    ),
    "HELLO_REPEATED": Reason(None, "a stream has one hello", "send no second"),
    "UNKNOWN_FRAME": Reason(
        None, "the frame has no body that is known here", "send what is negotiated"
    ),
    "BATCH_TOO_LARGE": Reason(
        None, "a message has more than 128 frames", "send them in several"
    ),
    "BAD_HANDLE": Reason(
        None, "a watch has no table, or a handle in use", "give it a new handle"
    ),
}
_SERVICE: Final[Mapping[str, Reason]] = {
    "DRAINING": Reason(
        _AWAY,
        "the service goes down; matches go on here or after it is back",
        "connect again after RetryInfo",
        Again.LATER,
    ),
    "STORE_UNAVAILABLE": Reason(
        _AWAY,
        "nothing can be stored, so nothing is accepted",
        "send the same again after RetryInfo",
        Again.LATER,
    ),
    "TOOK_TOO_LONG": Reason(
        StatusCode.DEADLINE_EXCEEDED,
        "the call has no deadline of its own, and was not done within `call_ms`",
        "send the same again, with the same decision or request id: nothing is done"
        " twice",
        Again.ANEW,
    ),
    "INTERNAL_ERROR": Reason(
        StatusCode.INTERNAL,
        "a mistake of the service; its log explains `error_id`",
        "tell the operator",
    ),
}
_OPERATORS: Final[Mapping[str, Reason]] = {
    "BOT_NAME_INVALID": Reason(
        _INVALID, "it is no name for a bot", "letters, digits and inner hyphens"
    ),
    "DISPLAY_NAME_INVALID": Reason(
        _INVALID, "it is no name to show", "printable text, at most 32 characters"
    ),
    "BOT_EXISTS": Reason(
        StatusCode.ALREADY_EXISTS, "the bot is registered already", "issue a token"
    ),
    "BOT_NAME_TAKEN": Reason(
        StatusCode.ALREADY_EXISTS,
        "the name would be mistaken for another's",
        "take another name",
    ),
    "BOT_UNKNOWN": Reason(
        StatusCode.NOT_FOUND, "no such bot is registered", "look at ListBots"
    ),
    "TOKEN_UNKNOWN": Reason(
        StatusCode.NOT_FOUND,
        "the bot has no token that begins so",
        "look at ListBots",
    ),
    "TOO_MANY_TOKENS": Reason(
        _NOT_NOW, "the bot has two tokens for this already", "revoke one, or replace"
    ),
    "LIMIT_FIXED": Reason(
        _INVALID,
        "the limit is unknown, or does not change while the service runs",
        "set it in the settings, and start again",
    ),
}

GROUPS: Final[Mapping[str, Mapping[str, Reason]]] = {
    "Who calls": _CALLERS,
    "What is asked for": _REQUESTS,
    "Decisions": _DECISIONS,
    "The game": _GAME,
    "Too much": _LIMITED,
    "Streams": _STREAMS,
    "The service itself": _SERVICE,
    "Administration": _OPERATORS,
}
"""For readers: what the reasons are about."""
REASONS: Final[Mapping[str, Reason]] = {
    name: reason for group in GROUPS.values() for name, reason in group.items()
}
