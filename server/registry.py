"""Bots by name, and their tokens.

Tokens are opaque random text, told once and kept only as a hash.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass, field

BOT_TOKEN = "ohb_"  # noqa: S105 - the public beginning of every bot token
SEAT_TOKEN = "ohs_"  # noqa: S105 - the public beginning of every seat token
TICKET = "oht_"
PREFIX_LENGTH = 12
"""Characters of a token that may be shown: they tell tokens apart."""
MAX_LIVE_TOKENS = 2

NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
"""Names of bots."""


class RegistrationRefused(Exception):
    """The message says which name or token is wrong, and why."""


def new_secret(beginning: str) -> str:
    return beginning + secrets.token_urlsafe(32)


def secret_hash(secret: str) -> bytes:
    """What is kept of a secret; it is random, so that no salt is needed."""
    return hashlib.sha256(secret.encode()).digest()


@dataclass(slots=True)
class RegisteredBot:
    """A bot that may connect while it is enabled."""

    name: str
    enabled: bool = True
    tokens: dict[bytes, str] = field(default_factory=dict)
    """Public beginning by hash."""


class BotRegistry:
    """Who may connect."""

    def __init__(self) -> None:
        self._bots: dict[str, RegisteredBot] = {}
        self._by_token: dict[bytes, RegisteredBot] = {}

    def register(self, name: str) -> str:
        """Adds a bot and returns its first token; RegistrationRefused."""
        if not NAME.fullmatch(name):
            raise RegistrationRefused(
                f"{name!r} is no name for a bot: letters, digits and inner hyphens,"
                " at most 63"
            )
        if name in self._bots:
            raise RegistrationRefused(f"a bot named {name!r} is registered already")
        self._bots[name] = RegisteredBot(name)
        return self.issue(name)

    def issue(self, name: str) -> str:
        """A further token; two may be valid at a time."""
        bot = self._bots.get(name)
        if bot is None:
            raise RegistrationRefused(f"no bot named {name!r} is registered")
        if len(bot.tokens) >= MAX_LIVE_TOKENS:
            raise RegistrationRefused(
                f"{name!r} has {MAX_LIVE_TOKENS} tokens: revoke one first"
            )
        token = new_secret(BOT_TOKEN)
        digest = secret_hash(token)
        bot.tokens[digest] = token[:PREFIX_LENGTH]
        self._by_token[digest] = bot
        return token

    def revoke(self, name: str, prefix: str) -> None:
        bot = self._bots.get(name)
        for digest, shown in tuple(bot.tokens.items()) if bot else ():
            if bot is not None and shown == prefix:
                del bot.tokens[digest]
                del self._by_token[digest]

    def bot_of(self, token: str) -> str | None:
        """Name of the enabled bot with this token."""
        bot = self._by_token.get(secret_hash(token))
        return bot.name if bot is not None and bot.enabled else None

    def names(self) -> tuple[str, ...]:
        return tuple(self._bots)

    def get(self, name: str) -> RegisteredBot | None:
        return self._bots.get(name)
