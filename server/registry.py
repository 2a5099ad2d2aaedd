"""Bots by name, and their tokens.

Tokens are opaque random text, told once and kept only as a hash.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass, field
from typing import NamedTuple

BOT_TOKEN = "ohb_"  # noqa: S105 - the public beginning of every bot token
SEAT_TOKEN = "ohs_"  # noqa: S105 - the public beginning of every seat token
TICKET = "oht_"
PREFIX_LENGTH = 12
"""Characters of a token that may be shown: they tell tokens apart."""
MAX_LIVE_TOKENS = 2
"""Of a bot, and of each of its lanes that has tokens of its own."""

NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
"""Names of bots."""


class RegistrationRefused(Exception):
    """The message says which name or token is wrong, and why."""


def new_secret(beginning: str) -> str:
    return beginning + secrets.token_urlsafe(32)


def secret_hash(secret: str) -> bytes:
    """What is kept of a secret; it is random, so that no salt is needed."""
    return hashlib.sha256(secret.encode()).digest()


class Token(NamedTuple):
    """What is kept of a token beside its hash."""

    shown: str
    """Its public beginning."""
    lane: int | None
    """The one lane that it is good for; None: every lane."""


class Holder(NamedTuple):
    """Who shows a token, and the lane it is bound to."""

    bot: str
    lane: int | None = None

    def may_play(self, lane: int) -> bool:
        return self.lane in (None, lane)


@dataclass(slots=True)
class RegisteredBot:
    """A bot that may connect while it is enabled."""

    name: str
    enabled: bool = True
    tokens: dict[bytes, Token] = field(default_factory=dict)
    """By hash."""


class BotRegistry:
    """Who may connect."""

    def __init__(self) -> None:
        self._bots: dict[str, RegisteredBot] = {}
        self._by_token: dict[bytes, RegisteredBot] = {}

    def add(self, name: str) -> None:
        """Adds a bot that has no token; RegistrationRefused."""
        if not NAME.fullmatch(name):
            raise RegistrationRefused(
                f"{name!r} is no name for a bot: letters, digits and inner hyphens,"
                " at most 63"
            )
        if name in self._bots:
            raise RegistrationRefused(f"a bot named {name!r} is registered already")
        self._bots[name] = RegisteredBot(name)

    def register(self, name: str) -> str:
        """Adds a bot and returns a token for all its lanes; RegistrationRefused."""
        self.add(name)
        return self.issue(name)

    def issue(self, name: str, lane: int | None = None) -> str:
        """A further token; a process that has one with a lane plays no other lane."""
        bot = self._bots.get(name)
        if bot is None:
            raise RegistrationRefused(f"no bot named {name!r} is registered")
        alike = sum(token.lane == lane for token in bot.tokens.values())
        if alike >= MAX_LIVE_TOKENS:
            whose = name if lane is None else f"{name}, lane {lane},"
            raise RegistrationRefused(f"{whose} has {alike} tokens: revoke one first")
        token = new_secret(BOT_TOKEN)
        digest = secret_hash(token)
        bot.tokens[digest] = Token(token[:PREFIX_LENGTH], lane)
        self._by_token[digest] = bot
        return token

    def revoke(self, name: str, prefix: str) -> None:
        bot = self._bots.get(name)
        for digest, token in tuple(bot.tokens.items()) if bot else ():
            if bot is not None and token.shown == prefix:
                del bot.tokens[digest]
                del self._by_token[digest]

    def holder_of(self, token: str) -> Holder | None:
        """The enabled bot with this token."""
        digest = secret_hash(token)
        bot = self._by_token.get(digest)
        if bot is None or not bot.enabled:
            return None
        return Holder(bot.name, bot.tokens[digest].lane)

    def names(self) -> tuple[str, ...]:
        return tuple(self._bots)

    def get(self, name: str) -> RegisteredBot | None:
        return self._bots.get(name)
