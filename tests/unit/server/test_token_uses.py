"""How the last use of a token comes into the store: seldom, and with a commit."""

from __future__ import annotations

from server.host import Host
from server.registry import BotRegistry
from server.store import Store
from server.token_uses import EVERY_S, TokenUses
from server.tokens import secret_hash


async def test_a_thousand_calls_are_one_write_a_minute_later(where: str) -> None:
    now = [1_000.0]
    with Store(where) as store:
        bots = BotRegistry(store.bots, now=lambda: now[0])
        tokens = [bots.register(name) for name in ("ada", "bob")]
        host = Host(bots=bots, store=store)
        uses = TokenUses(host)
        before = store.log.next_chunk
        for _ in range(1_000):
            assert bots.holder_of(tokens[0]) is not None
        assert store.log.last_chunk == before - 1
        uses.wake(0.0)
        await host.keeper.committed()
        assert store.log.written == before
        assert uses.alarm_at == EVERY_S
        # Nobody came since.
        now[0] += EVERY_S
        uses.wake(EVERY_S)
        assert store.log.last_chunk == before
        host.keeper.close()
    with Store(where) as store:
        kept = {
            token: held.last_used_at
            for bot in store.bots.load()
            for token, held in bot.tokens.items()
        }
    assert kept == {secret_hash(tokens[0]): 1_000, secret_hash(tokens[1]): None}
