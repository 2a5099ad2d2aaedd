"""Bots by name, their tokens, and what a token allows.

Everything is in memory, because every call asks; a store, where there is one, is told
first. Who is served for long on the strength of a token takes a lease, which ends with
the token.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol

from server.clock import wall
from server.names import BOT_NAME, display_name_wrong
from server.receipt import Receipt
from server.tokens import BOT_TOKEN, Mint, new_secret, secret_hash, shown

GUEST = "guest"
"""Callers without a token, where tokens are not asked for."""
MAX_LIVE_TOKENS = 2
"""Of a bot, and of each of its lanes that has tokens of its own."""

REVOKED = "REVOKED"
DISABLED = "DISABLED"
"""Why a lease ends."""


class Scope(StrEnum):
    """What a token allows."""

    PLAY = "bot.play"
    """To connect, and to take seats."""
    READ = "tables.read"
    """To list tables, and to look at those that are for everybody."""
    WRITE = "tables.write"
    """To open tables, and to cancel own ones."""
    TOURNAMENTS = "tournaments.write"
    ADMIN = "admin"
    """Everything on the listener for operators."""


BOT_SCOPES = frozenset({Scope.PLAY, Scope.READ})
GUEST_SCOPES = frozenset({Scope.PLAY, Scope.READ, Scope.WRITE})


class RegistrationRefused(Exception):
    """The message says which name or token is wrong, and why; `reason` is a code."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class Token(NamedTuple):
    """What is kept of a token beside its hash."""

    shown: str
    """Its public beginning."""
    lane: int | None = None
    """The one lane that it is good for; None: every lane."""
    scopes: frozenset[Scope] = BOT_SCOPES
    expires_at: int | None = None
    """Seconds since 1970."""
    last_used_at: int | None = None
    """The same, to a minute; None: never, as far as is known."""

    def is_alive(self, now: float) -> bool:
        return self.expires_at is None or self.expires_at > now


class Holder(NamedTuple):
    """Who shows a token, and what it allows."""

    bot: str
    lane: int | None = None
    scopes: frozenset[Scope] = BOT_SCOPES
    digest: bytes = b""
    """Hash of the token; empty for who needs none."""

    @property
    def is_guest(self) -> bool:
        return not self.digest

    def may_play(self, lane: int) -> bool:
        return self.lane in (None, lane)


@dataclass(slots=True)
class RegisteredBot:
    """A bot that may connect while it is enabled."""

    name: str
    display_name: str = ""
    enabled: bool = True
    tokens: dict[bytes, Token] = field(default_factory=dict)
    """By hash."""


class BotStore(Protocol):
    """Where bots are kept; each call is one transaction, but for `used`, which waits
    for the next commit of what else happens.
    """

    def load(self) -> Iterable[RegisteredBot]: ...
    def add(
        self, bot: RegisteredBot, *, now: int, receipt: Receipt | None = None
    ) -> None: ...
    def set_enabled(self, name: str, *, enabled: bool) -> None: ...
    def used(self, tokens: Collection[bytes], *, now: int) -> None: ...
    def replace(
        self,
        name: str,
        *,
        gone: Collection[bytes],
        new: dict[bytes, Token],
        now: int,
        receipt: Receipt | None = None,
    ) -> None: ...


class BotRegistry:
    """Who may connect."""

    def __init__(
        self, store: BotStore | None = None, *, now: Callable[[], float] = wall
    ) -> None:
        self._store = store
        self._now = now
        self._bots: dict[str, RegisteredBot] = {}
        self._by_token: dict[bytes, RegisteredBot] = {}
        self._leases: defaultdict[bytes, list[Callable[[str], None]]] = defaultdict(
            list
        )
        self._used: set[bytes] = set()
        """Tokens that were shown since it was last noted."""
        for bot in store.load() if store is not None else ():
            self._bots[bot.name] = bot
            self._by_token.update(dict.fromkeys(bot.tokens, bot))

    # Changing; RegistrationRefused

    def add(self, name: str, display_name: str = "") -> None:
        """Adds a bot that has no token."""
        self._add(RegisteredBot(name, display_name))

    def _add(self, bot: RegisteredBot, receipt: Receipt | None = None) -> None:
        name = bot.name
        if not BOT_NAME.fullmatch(name):
            raise RegistrationRefused(
                "BOT_NAME_INVALID",
                f"{name!r} is no name for a bot: letters, digits and inner hyphens,"
                " at most 63",
            )
        wrong = display_name_wrong(bot.display_name)
        if wrong is not None:
            raise RegistrationRefused(
                "DISPLAY_NAME_INVALID",
                f"{bot.display_name!r} is no name to show: {wrong}",
            )
        if name in self._bots:
            raise RegistrationRefused(
                "BOT_EXISTS", f"a bot named {name!r} is registered already"
            )
        if self._store is not None:
            self._store.add(bot, now=int(self._now()), receipt=receipt)
        self._bots[name] = bot
        self._by_token.update(dict.fromkeys(bot.tokens, bot))

    def register(
        self,
        name: str,
        *,
        display_name: str = "",
        scopes: Collection[Scope] = BOT_SCOPES,
        mint: Mint = new_secret,
        receipt: Receipt | None = None,
    ) -> str:
        """Adds a bot and returns a token for all its lanes.

        Names that only differ in case would be taken for each other.
        """
        folded = name.lower()
        alike = [known for known in self._bots if known.lower() == folded]
        if folded == GUEST or (alike and name not in alike):
            taken = alike[0] if alike else "callers without a token"
            raise RegistrationRefused(
                "BOT_NAME_TAKEN", f"{name!r} would be mistaken for {taken}"
            )
        secret = mint(BOT_TOKEN)
        token = Token(shown(secret), None, frozenset(scopes))
        bot = RegisteredBot(name, display_name, tokens={secret_hash(secret): token})
        self._add(bot, receipt)
        return secret

    def issue(
        self,
        name: str,
        lane: int | None = None,
        *,
        scopes: Collection[Scope] = BOT_SCOPES,
        valid_for: int | None = None,
        replace: bool = False,
        mint: Mint = new_secret,
        receipt: Receipt | None = None,
    ) -> str:
        """A further token, or one in place of all that are for the same lane.

        A process that shows a token with a lane plays no other lane. `valid_for` is in
        seconds; None: for ever.
        """
        bot = self._known(name)
        now = self._now()
        alike = [digest for digest, token in bot.tokens.items() if token.lane == lane]
        dead = [digest for digest in alike if not bot.tokens[digest].is_alive(now)]
        if not replace and len(alike) - len(dead) >= MAX_LIVE_TOKENS:
            whose = name if lane is None else f"{name}, lane {lane},"
            raise RegistrationRefused(
                "TOO_MANY_TOKENS",
                f"{whose} has {len(alike) - len(dead)} tokens: revoke one first",
            )
        secret = mint(BOT_TOKEN)
        expires_at = None if valid_for is None else int(now) + valid_for
        token = Token(shown(secret), lane, frozenset(scopes), expires_at)
        self._replace(
            bot,
            gone=alike if replace else dead,
            new={secret_hash(secret): token},
            receipt=receipt,
        )
        return secret

    def revoke(self, name: str, prefix: str) -> None:
        """Makes the token that begins like this invalid, and ends what it holds."""
        bot = self._known(name)
        gone = [d for d, token in bot.tokens.items() if token.shown == prefix]
        if not gone:
            raise RegistrationRefused(
                "TOKEN_UNKNOWN", f"{name} has no token that begins with {prefix!r}"
            )
        self._replace(bot, gone=gone, new={})

    def set_enabled(self, name: str, *, enabled: bool) -> None:
        """Lets a bot in, or keeps it out; its tokens are kept."""
        bot = self._known(name)
        if self._store is not None:
            self._store.set_enabled(name, enabled=enabled)
        bot.enabled = enabled
        if not enabled:
            for digest in bot.tokens:
                self._end(digest, DISABLED)

    def expire(self) -> None:
        """Ends what is held by tokens whose time is over."""
        now = self._now()
        for digest in tuple(self._leases):
            bot = self._by_token.get(digest)
            if bot is not None and not bot.tokens[digest].is_alive(now):
                self._end(digest, REVOKED)

    def keep_uses(self) -> None:
        """Notes which tokens were used, or are, and has that stored."""
        used = (self._used | self._leases.keys()) & self._by_token.keys()
        self._used.clear()
        if not used:
            return
        now = int(self._now())
        for digest in used:
            tokens = self._by_token[digest].tokens
            tokens[digest] = tokens[digest]._replace(last_used_at=now)
        if self._store is not None:
            self._store.used(used, now=now)

    # Asking

    def holder_of(self, secret: str) -> Holder | None:
        """The bot with this token, also while it is disabled; None: not valid."""
        digest = secret_hash(secret)
        bot = self._by_token.get(digest)
        if bot is None:
            return None
        token = bot.tokens[digest]
        if not token.is_alive(self._now()):
            return None
        self._used.add(digest)
        return Holder(bot.name, token.lane, token.scopes, digest)

    def is_enabled(self, name: str) -> bool:
        bot = self._bots.get(name)
        return bot is not None and bot.enabled

    @contextmanager
    def lease(self, holder: Holder, end: Callable[[str], None]) -> Iterator[None]:
        """Meanwhile `end` is called, with the reason, once the token is not valid."""
        if holder.is_guest:
            yield
            return
        leases = self._leases[holder.digest]
        leases.append(end)
        # It may have ended since it was looked at.
        if holder.digest not in self._by_token:
            end(REVOKED)
        elif not self.is_enabled(holder.bot):
            end(DISABLED)
        try:
            yield
        finally:
            leases.remove(end)
            if not leases:
                self._leases.pop(holder.digest, None)

    def all(self) -> list[RegisteredBot]:
        """By name."""
        return self.page("", len(self._bots))

    def page(self, after: str, size: int) -> list[RegisteredBot]:
        """Bots by name, from the one behind `after`."""
        names = sorted(name for name in self._bots if name > after)
        return [self._bots[name] for name in names[:size]]

    def get(self, name: str) -> RegisteredBot | None:
        return self._bots.get(name)

    def _known(self, name: str) -> RegisteredBot:
        bot = self._bots.get(name)
        if bot is None:
            raise RegistrationRefused(
                "BOT_UNKNOWN", f"no bot named {name!r} is registered"
            )
        return bot

    def _replace(
        self,
        bot: RegisteredBot,
        *,
        gone: Collection[bytes],
        new: dict[bytes, Token],
        receipt: Receipt | None = None,
    ) -> None:
        if self._store is not None:
            now = int(self._now())
            self._store.replace(bot.name, gone=gone, new=new, now=now, receipt=receipt)
        bot.tokens.update(new)
        self._by_token.update(dict.fromkeys(new, bot))
        for digest in gone:
            del bot.tokens[digest]
            del self._by_token[digest]
            self._end(digest, REVOKED)

    def _end(self, digest: bytes, why: str) -> None:
        for end in tuple(self._leases.get(digest, ())):
            end(why)
