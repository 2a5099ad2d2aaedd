"""Registered bots and their tokens."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from server.store.errors import explaining
from server.store.opening import Database
from server.store.schema import bot_tokens, bots
from server.store.tokens import new_token, token_hash

TOKENS_AT_A_TIME = 2


class BotExists(Exception):
    """The name is taken."""


class UnknownBot(Exception):
    """No bot of this name is registered."""


class TooManyTokens(Exception):
    """A bot has its two tokens; one must be revoked first."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A registered bot."""

    name: str
    display_name: str
    enabled: bool


@dataclass(frozen=True, slots=True)
class BotToken:
    """A token without its secret."""

    prefix: str
    scopes: tuple[str, ...]
    expires_at: int | None


class Bots:
    """Who may connect; `now` is in seconds since 1970 everywhere."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def register(self, name: str, *, now: int, display_name: str = "") -> str:
        """Add a bot and give its first token, which is told only here."""
        row = {
            "name": name,
            "display_name": display_name or name,
            "enabled": True,
            "created_at": now,
        }
        with explaining(self._database.name):
            try:
                with self._database.engine.begin() as writing:
                    writing.execute(insert(bots), [row])
                    return self._issue(writing, name, now=now)
            except IntegrityError as error:
                raise BotExists(name) from error

    def issue(
        self,
        name: str,
        *,
        now: int,
        scopes: Sequence[str] = (),
        expires_at: int | None = None,
    ) -> str:
        """Give a further token; UnknownBot, or TooManyTokens that are valid."""
        alive = or_(bot_tokens.c.expires_at.is_(None), bot_tokens.c.expires_at > now)
        count = select(func.count()).where(bot_tokens.c.bot == name, alive)
        with explaining(self._database.name), self._database.engine.begin() as writing:
            self._must_exist(writing, name)
            if (writing.scalar(count) or 0) >= TOKENS_AT_A_TIME:
                raise TooManyTokens(name)
            return self._issue(
                writing, name, now=now, scopes=scopes, expires_at=expires_at
            )

    def _issue(
        self,
        writing: Connection,
        name: str,
        *,
        now: int,
        scopes: Sequence[str] = (),
        expires_at: int | None = None,
    ) -> str:
        token = new_token("ohb")
        row = {
            "hash": token.hash,
            "bot": name,
            "prefix": token.prefix,
            "scopes": " ".join(scopes),
            "created_at": now,
            "expires_at": expires_at,
        }
        writing.execute(insert(bot_tokens), [row])
        return token.text

    def _must_exist(self, connection: Connection, name: str) -> None:
        found = select(bots.c.name).where(bots.c.name == name)
        if connection.scalar(found) is None:
            raise UnknownBot(name)

    def of_token(self, text: str, *, now: int) -> Bot | None:
        """Give the bot a token was issued to, if it is valid and the bot enabled."""
        wanted = (
            select(bots)
            .join(bot_tokens)
            .where(
                bot_tokens.c.hash == token_hash(text),
                or_(bot_tokens.c.expires_at.is_(None), bot_tokens.c.expires_at > now),
                bots.c.enabled,
            )
        )
        with explaining(self._database.name), self._database.engine.begin() as reading:
            row = reading.execute(wanted).one_or_none()
        return None if row is None else Bot(row.name, row.display_name, row.enabled)

    def revoke(self, name: str, prefix: str) -> bool:
        """Make a token invalid; whether the bot had it."""
        gone = delete(bot_tokens).where(
            bot_tokens.c.bot == name, bot_tokens.c.prefix == prefix
        )
        with explaining(self._database.name), self._database.engine.begin() as writing:
            return writing.execute(gone).rowcount > 0

    def enable(self, name: str) -> None:
        """Let a bot in."""
        self._set_enabled(name, enabled=True)

    def disable(self, name: str) -> None:
        """Keep a bot out; its tokens are kept."""
        self._set_enabled(name, enabled=False)

    def _set_enabled(self, name: str, *, enabled: bool) -> None:
        change = update(bots).where(bots.c.name == name).values(enabled=enabled)
        with explaining(self._database.name), self._database.engine.begin() as writing:
            self._must_exist(writing, name)
            writing.execute(change)

    def all(self, *, after: str = "", limit: int = 50) -> list[Bot]:
        """List bots by name, from the one behind `after`."""
        page = (
            select(bots).where(bots.c.name > after).order_by(bots.c.name).limit(limit)
        )
        with explaining(self._database.name), self._database.engine.begin() as reading:
            rows = reading.execute(page).all()
        return [Bot(row.name, row.display_name, row.enabled) for row in rows]

    def tokens(self, name: str) -> list[BotToken]:
        """List a bot's tokens, oldest first."""
        wanted = (
            select(bot_tokens)
            .where(bot_tokens.c.bot == name)
            .order_by(bot_tokens.c.created_at, bot_tokens.c.prefix)
        )
        with explaining(self._database.name), self._database.engine.begin() as reading:
            rows = reading.execute(wanted).all()
        return [
            BotToken(row.prefix, tuple(row.scopes.split()), row.expires_at)
            for row in rows
        ]
