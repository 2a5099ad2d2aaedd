"""What a field may hold, whatever the game: one table, checked before anything else.

Only sizes, patterns and undefined enum numbers are looked at here. Whether a bid or a
card is allowed is the game's business, and has its own codes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from grpc import StatusCode

from ohhell.v1 import frames_pb2
from server.names import BOT_NAME, display_name_wrong
from server.rpc.status import Problem
from server.rpc.untyped import Untyped

MAX_WORKERS = 4096
DEFAULT_PAGE = 50
MAX_PAGE = 1_000
MAX_WAIT_MS = 60_000
MAX_DAY_MS = 86_400_000
MAX_VALID_S = 3_153_600_000
"""A century."""

TABLE_ID: Final = re.compile(r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
PRESET: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
WORD: Final = re.compile(r"[!-~]{0,64}")
REQUEST_ID: Final = re.compile(
    r"([0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})?",
    re.IGNORECASE,
)
"""A UUID of version 4 or 7, or nothing: others can be guessed."""
LINE: Final = re.compile(r"[ -~]{0,128}")

Rule = Callable[[Untyped], str | None]
"""Says what would be right, where a value is not."""


def matches(pattern: re.Pattern[str], right: str) -> Rule:
    return lambda value: None if pattern.fullmatch(value) else right


def at_most(limit: int) -> Rule:
    return lambda value: None if 0 <= value <= limit else f"0..{limit}"


def at_least_0(value: int) -> str | None:
    return None if value >= 0 else "0 or more"


def no_longer_than(limit: int) -> Rule:
    return lambda value: None if len(value) <= limit else f"at most {limit}"


_table_id = matches(
    TABLE_ID, "lower-case letters, digits and inner hyphens, at most 63"
)
_bot = matches(BOT_NAME, "ASCII letters, digits and inner hyphens, at most 63")
_request_id = matches(REQUEST_ID, "a random UUID, which only the caller can know")

RULES: Final[Mapping[str, Rule]] = {
    "RulesSpec.preset": matches(PRESET, "the name of a preset"),
    "RulesSpec.overrides": no_longer_than(64),
    "TimeControl.per_decision_ms": at_most(MAX_DAY_MS),
    "TimeControl.bank_ms": at_most(MAX_DAY_MS),
    "TimeControl.increment_ms": at_most(MAX_DAY_MS),
    "TimeControl.grace_ms": at_most(500),
    "Hello.capabilities": no_longer_than(64),
    "Hello.software": matches(LINE, "at most 128 printable ASCII characters"),
    "Hello.instance_id": matches(WORD, "at most 64 printable ASCII characters"),
    "Hello.resume_session_id": matches(WORD, "a session id"),
    "Hello.lane": at_most(255),
    "Hello.workers": at_most(MAX_WORKERS),
    "Hello.declines": no_longer_than(64),
    "CreateTableRequest.players": at_most(255),
    "CreateTableRequest.display_name": display_name_wrong,
    "CreateTableRequest.house_bots": no_longer_than(10),
    "CreateTableRequest.request_id": _request_id,
    "GetTableRequest.table": _table_id,
    "ListTablesRequest.page_size": at_least_0,
    "ListTablesRequest.page_token": no_longer_than(256),
    "CancelTableRequest.table": _table_id,
    "CancelTableRequest.reason": no_longer_than(256),
    "JoinTableRequest.table": _table_id,
    "JoinTableRequest.display_name": display_name_wrong,
    "JoinTableRequest.ticket": matches(WORD, "a ticket"),
    "JoinTableRequest.request_id": _request_id,
    "LeaveTableRequest.table": _table_id,
    "PlaceBidRequest.table": _table_id,
    "AmendBidRequest.table": _table_id,
    "PlayCardRequest.table": _table_id,
    "ChooseTrumpRequest.table": _table_id,
    "LayBidCardsRequest.table": _table_id,
    "BidCards.cards": no_longer_than(16),
    "GetViewRequest.table": _table_id,
    "GetViewRequest.wait_ms": at_most(MAX_WAIT_MS),
    "WatchTableRequest.table": _table_id,
    "GetRecordRequest.table": _table_id,
    "RegisterBotRequest.bot": _bot,
    "RegisterBotRequest.display_name": display_name_wrong,
    "RegisterBotRequest.request_id": _request_id,
    "RegisterBotRequest.scopes": no_longer_than(16),
    "ListBotsRequest.page_size": at_least_0,
    "ListBotsRequest.page_token": no_longer_than(256),
    "SetBotEnabledRequest.bot": _bot,
    "IssueTokenRequest.bot": _bot,
    "IssueTokenRequest.scopes": no_longer_than(16),
    "IssueTokenRequest.valid_for_s": at_most(MAX_VALID_S),
    "IssueTokenRequest.request_id": _request_id,
    "IssueTokenRequest.lane": at_most(255),
    "RevokeTokenRequest.bot": _bot,
    "RevokeTokenRequest.prefix": matches(WORD, "the beginning of a token"),
    "KickBotRequest.bot": _bot,
    "KickBotRequest.reason": no_longer_than(256),
    "EndTableRequest.table": _table_id,
    "EndTableRequest.reason": no_longer_than(256),
    "DrainRequest.deadline_ms": at_most(MAX_DAY_MS),
    "SetLimitsRequest.limits": no_longer_than(64),
}
"""By message and field; a field that is not here may hold anything."""


def check(message: Message) -> None:
    """INVALID_ARGUMENT with every violation at once."""
    violations: dict[str, str] = {}
    _look(message, "", violations)
    if violations:
        name, right = next(iter(violations.items()))
        raise Problem(
            StatusCode.INVALID_ARGUMENT,
            "FIELD_INVALID",
            f"{name}: {right}",
            fields=violations,
        )


def check_hello(hello: frames_pb2.Hello) -> None:
    check(hello)


class _Check(NamedTuple):
    """What is asked of a field."""

    rule: Rule | None
    numbers: Mapping[int, Untyped]
    """Those of its enumeration, where it has one."""
    enum: str
    nested: bool


@lru_cache(maxsize=1024)
def _check_of(message: str, field: FieldDescriptor) -> _Check:
    enum = field.enum_type
    is_message = field.type == FieldDescriptor.TYPE_MESSAGE
    return _Check(
        RULES.get(f"{message}.{field.name}"),
        {} if enum is None else dict(enum.values_by_number),
        "" if enum is None else enum.name,
        nested=is_message and not field.is_repeated,
    )


def _look(message: Message, path: str, violations: dict[str, str]) -> None:
    kind = message.DESCRIPTOR.name
    for field, value in message.ListFields():
        rule, numbers, enum, nested = _check_of(kind, field)
        if rule is not None and (right := rule(value)) is not None:
            violations[path + field.name] = right
        if enum:
            known = (
                numbers.keys() >= set(value) if field.is_repeated else value in numbers
            )
            if not known:
                violations[path + field.name] = f"a number of {enum}"
        elif nested:
            _look(value, f"{path}{field.name}.", violations)
