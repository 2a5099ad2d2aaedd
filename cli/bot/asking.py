"""Ask a bot that runs what it would do at a moment of a match on record."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cli.bot.check.overheard import Exchange, Overheard
from cli.bot.check.rig import Gone, Rig
from cli.bot.check.subject import Started
from cli.bot.check.telling import command_text
from cli.moment import Moment
from server import logs
from server.past import Past
from server.players.port import Player
from server.players.unary import UnaryPlayer
from server.setup import TableSetup
from tournament.launcher import Launcher

PATIENCE = 30.0
"""Seconds that the answer may take."""
QUIET = "warning"
"""What its library logs: that it connects is no news to who asked."""


class Asked(NamedTuple):
    """What a bot did when it was asked, and what it wrote on standard error."""

    said: str
    errors: str


async def asked(moment: Moment, command: Sequence[str], bot_seed: bytes) -> Asked:
    """What the bot does, in words, and whether it may; Gone."""
    with tempfile.TemporaryDirectory(prefix="ohhell-ask-") as name:
        folder = Path(name)
        with (folder / "service.log").open("w", encoding="utf-8") as log:
            logs.configure("info", log)
            async with Launcher(logs=folder) as launcher:
                settings = {"log": os.environ.get("OHHELL_BOT_LOG", QUIET)}
                subject = Started(launcher, tuple(command), Path.cwd(), settings)
                rig = Rig(subject, address="127.0.0.1", port=0)
                await rig.begin()
                try:
                    await rig.connect()
                    exchange = await _exchange(rig, moment, bot_seed)
                finally:
                    await rig.end()
        errors = (folder / f"{subject.bot}.err").read_text(errors="replace")
    said = command_text(exchange.command)
    reply = exchange.reply
    if not reply.accepted:
        said += f", which is {reply.reason}: {reply.message}"
    return Asked(said, errors)


async def _exchange(rig: Rig, moment: Moment, bot_seed: bytes) -> Exchange:
    """The table stands where the match stood, and only the one seat is asked."""
    record = moment.record
    setup = TableSetup(
        table="replay",
        rules=record.rules,
        players=record.players,
        first_dealer=record.first_dealer,
        decks=_no_more_deals,
        bot_seeds=(bot_seed,) * len(record.players),
        rules_hash=record.rules.hash(len(record.players)),
    )
    host = rig.host
    players: list[Player] = [UnaryPlayer(host.alarms.clock) for _ in record.players]
    players[moment.seat] = host.player(rig.subject.bot)
    overheard = Overheard(host, setup, players)
    answered: asyncio.Future[Exchange] = asyncio.get_running_loop().create_future()

    def note(exchange: Exchange) -> None:
        if not answered.done():
            answered.set_result(exchange)

    overheard.on_exchange = note
    overheard.table.resume(Past(match=moment.match, banks=[0] * len(players)))
    try:
        async with asyncio.timeout(PATIENCE):
            return await answered
    except TimeoutError:
        raise Gone(f"it did not answer within {PATIENCE:g} s") from None
    finally:
        overheard.table.cancel()


def _no_more_deals(deal: int) -> Sequence[int]:
    raise RuntimeError(f"deal {deal} is not for this table")
