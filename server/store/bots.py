"""The rows of registered bots and their tokens; the rules are the registry's."""

from collections.abc import Collection, Mapping

from sqlalchemy import Connection, delete, insert, select, update

from server.receipt import Receipt
from server.registry import RegisteredBot, Scope, Token
from server.store.errors import explaining
from server.store.log import EventLog
from server.store.opening import Database
from server.store.receipts import changes_for
from server.store.schema import bot_tokens, bots

_AT_ONCE = 1_000
"""Tokens in a statement, which may have no more than so many parameters."""


class Bots:
    """What is kept of bots; `now` is in seconds since 1970."""

    def __init__(self, database: Database, log: EventLog) -> None:
        self._database = database
        self._log = log

    def load(self) -> list[RegisteredBot]:
        """All bots with their tokens, the oldest tokens first."""
        wanted = select(bot_tokens).order_by(
            bot_tokens.c.created_at, bot_tokens.c.prefix
        )
        with explaining(self._database.name), self._database.engine.begin() as reading:
            rows = reading.execute(select(bots).order_by(bots.c.name)).all()
            tokens = reading.execute(wanted).all()
        found = {
            row.name: RegisteredBot(row.name, row.display_name, row.enabled)
            for row in rows
        }
        for row in tokens:
            found[row.bot].tokens[row.hash] = Token(
                row.prefix,
                row.lane,
                _scopes(row.scopes),
                row.expires_at,
                row.last_used_at,
            )
        return list(found.values())

    def add(
        self, bot: RegisteredBot, *, now: int, receipt: Receipt | None = None
    ) -> None:
        """Keep a bot with the tokens that it has."""
        row = {
            "name": bot.name,
            "display_name": bot.display_name,
            "enabled": bot.enabled,
            "created_at": now,
        }
        with explaining(self._database.name), self._database.engine.begin() as writing:
            writing.execute(insert(bots), [row])
            if bot.tokens:
                rows = _token_rows(bot.name, bot.tokens, now=now)
                writing.execute(insert(bot_tokens), rows)
            _keep(writing, receipt, now=now)

    def set_enabled(self, name: str, *, enabled: bool) -> None:
        """Keep whether a bot may connect."""
        change = update(bots).where(bots.c.name == name).values(enabled=enabled)
        with explaining(self._database.name), self._database.engine.begin() as writing:
            writing.execute(change)

    def used(self, tokens: Collection[bytes], *, now: int) -> None:
        """Keep, with the next commit of the log, that these were used, by hash."""
        hashes = sorted(tokens)
        for first in range(0, len(hashes), _AT_ONCE):
            some = bot_tokens.c.hash.in_(hashes[first : first + _AT_ONCE])
            self._log.beside(update(bot_tokens).where(some).values(last_used_at=now))

    def replace(
        self,
        name: str,
        *,
        gone: Collection[bytes],
        new: Mapping[bytes, Token],
        now: int,
        receipt: Receipt | None = None,
    ) -> None:
        """Forget some of a bot's tokens and keep others, by hash."""
        with explaining(self._database.name), self._database.engine.begin() as writing:
            if gone:
                writing.execute(delete(bot_tokens).where(bot_tokens.c.hash.in_(gone)))
            if new:
                writing.execute(insert(bot_tokens), _token_rows(name, new, now=now))
            _keep(writing, receipt, now=now)


def _token_rows(
    bot: str, tokens: Mapping[bytes, Token], *, now: int
) -> list[dict[str, object]]:
    return [
        {
            "hash": digest,
            "bot": bot,
            "prefix": token.shown,
            "lane": token.lane,
            "scopes": " ".join(sorted(token.scopes)),
            "created_at": now,
            "expires_at": token.expires_at,
        }
        for digest, token in tokens.items()
    ]


def _keep(writing: Connection, receipt: Receipt | None, *, now: int) -> None:
    """In the transaction of what the call did."""
    if receipt is not None:
        for change in changes_for(receipt, now=now):
            writing.execute(change)


def _scopes(text: str) -> frozenset[Scope]:
    """Scopes of a later version allow nothing here."""
    return frozenset(Scope(word) for word in text.split() if word in list(Scope))
