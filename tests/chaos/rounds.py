"""Sixteen tables under load, while the server is killed: what must come of it.

Four bot processes and people who make single calls play. At random instants the server
gets SIGKILL and is started again on the same store. At the end every table must have
the record it would have had without any of this; every acknowledged action must be in
it; and nobody may ever have seen a number of an entry with two different contents.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import grpc
import grpc.aio

from bots.local import LOCAL_FACTORIES
from engine import Cause, Match, Rules, view
from engine.bidding import Claim
from engine.cards import SUITS
from engine.events import (
    BidCardsLaid,
    BidMade,
    BidsOpened,
    CardPlayed,
    Event,
    TrumpMade,
    split_by_seat,
)
from engine.fallback import ChooseTrump, Command, Lay, PlaceBid, PlayCard, act
from engine.phase import Ask
from engine.plan import BID_CARDS
from engine.record import parse_record, record_text
from engine.shuffle import (
    SeededDecks,
    block_seed,
    bot_seed,
    first_dealer,
    published_seed,
)
from engine.trick import JokerCall
from engine.view import View
from ohhell.v1 import match_pb2, rules_pb2, tables_pb2, tables_pb2_grpc
from server.audit import audit
from server.registry import BotRegistry
from server.setup import TableSetup
from server.store import Store
from tests.doubles.restarting import ROOT, Server

PATIENCE_S: Final = 300.0
TABLES: Final = 16
BOTS: Final = {
    "anna": "expected-tricks",
    "ben": "greedy",
    "cleo": "lowest",
    "dirk": "random",
}
"""House bots by the names under which they are registered, a process each."""
PERSON: Final = "Eve"
PRESETS: Final = ("pagat_standard", "simultaneous", "wizard", "ninety_nine")
CHANNEL: Final = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 300),
    ("grpc.enable_retries", 0),
)
GONE: Final = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)


class Counts(NamedTuple):
    """What some rounds came to."""

    instants: int = 0
    tables: int = 0
    entries: int = 0
    acknowledged: int = 0
    """Actions by single calls that were acknowledged, and are all on record."""
    seen_again: int = 0
    """Entries that somebody was shown once more, and that were the same."""

    def plus(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))

    def __str__(self) -> str:
        return (
            f"{self.instants} instants, {self.tables} tables resumed and ended with the"
            f" record they would have had: {self.entries} entries,"
            f" {self.acknowledged} acknowledged actions, 0 lost;"
            f" {self.seen_again} entries seen again, 0 with other contents"
        )


@asynccontextmanager
async def playing_bots(address: str, tokens: dict[str, str]) -> AsyncIterator[None]:
    """A process for each bot, for the time of many servers."""
    processes = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bots", program),
            cwd=ROOT,
            env={
                "PATH": os.environ["PATH"],
                "OHHELL_BOT_ADDRESS": address,
                "OHHELL_BOT_TOKEN": tokens[name],
            },
            stderr=asyncio.subprocess.DEVNULL,
        )
        for name, program in BOTS.items()
    ]
    try:
        yield
        assert [process.returncode for process in processes] == [None] * len(BOTS)
    finally:
        for process in processes:
            if process.returncode is None:
                process.kill()
            await process.wait()


def first_legal(seen: View) -> Command:
    """What the person does, in the words of the engine."""
    match seen.ask:
        case Ask.BID:
            return PlaceBid(seen.legal_bids[0])
        case Ask.PLAY:
            return PlayCard(seen.legal_cards[0], JokerCall.NONE)
        case Ask.TRUMP:
            return ChooseTrump(SUITS[0])
        case _:
            return Lay(tuple(seen.hand[:BID_CARDS]), Claim.NONE)


@dataclass
class Played:
    """A table while it is played, and all that anybody was told of it."""

    preset: str
    seats: tuple[str, ...]
    seed: int
    name: str = ""
    seen: dict[int, bytes] = field(default_factory=dict)
    """Entries by number, as a watcher got them."""
    acknowledged: list[tuple[int, int, Command]] = field(default_factory=list)
    """Entry that holds it, seat, and what was accepted."""
    seen_again: int = 0

    def see(self, entry: match_pb2.Entry) -> bool:
        """Whether it is new; AssertionError for other contents than before."""
        content = entry.SerializeToString(deterministic=True)
        known = self.seen.get(entry.seq)
        if known is None:
            self.seen[entry.seq] = content
            return True
        assert known == content, (
            f"{self.name}: entry {entry.seq} was {known!r}, is {content!r}"
        )
        self.seen_again += 1
        return False

    def expected(self) -> str:
        """The record without any interruption."""
        n = len(self.seats)
        deals = block_seed(published_seed(self.seed), 0, 0)
        rules = Rules.of(self.preset, players=n)
        setup = TableSetup(
            table=self.name,
            rules=rules,
            players=self.seats,
            first_dealer=first_dealer(deals, n),
            decks=SeededDecks(deals, rules, n),
            bot_seeds=tuple(bot_seed(deals, 0, seat) for seat in range(n)),
        )
        bots = {
            seat: LOCAL_FACTORIES[BOTS[who]](setup, seat)
            for seat, who in enumerate(self.seats)
            if who in BOTS
        }
        match = Match(rules, n, first_dealer=setup.first_dealer, decks=setup.decks)
        match.start()
        while waiting := match.to_act():
            seen = view(match, waiting[0])
            bot = bots.get(waiting[0])
            command = bot.answer(seen) if bot else first_legal(seen)
            act(match, waiting[0], command, Cause.ANSWER)
        return record_text(match, self.seats)


class Round:
    """Sixteen tables from their first card to their last."""

    def __init__(self, server: Server, tokens: dict[str, str], number: int) -> None:
        self._server = server
        self._tokens = tokens
        self._number = number
        self._chance = random.Random(number)  # noqa: S311  # repeatable, no secret
        self._entries = 0
        self._over = 0
        self._moved = asyncio.Event()
        self._channel = grpc.aio.insecure_channel(server.address, options=CHANNEL)
        self._tables = tables_pb2_grpc.TableServiceStub(self._channel)

    async def play(self, kills: int) -> Counts:
        """Plays all tables and checks them; AssertionError."""
        try:
            played = [self._planned(number) for number in range(TABLES)]
            expected = [table.expected() for table in played]
            opened = [(table, await self._open(table)) for table in played]
            async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as group:
                for table, token in opened:
                    group.create_task(self._watch(table))
                    if token:
                        group.create_task(self._act(table, token))
                whole = sum(text.count("\n") for text in expected)
                group.create_task(self._kill(kills, whole))
            for table, text in zip(played, expected, strict=True):
                await self._check(table, text)
        finally:
            await self._channel.close()
        return Counts(
            kills,
            len(played),
            sum(len(table.seen) for table in played),
            sum(len(table.acknowledged) for table in played),
            sum(table.seen_again for table in played),
        )

    def _planned(self, number: int) -> Played:
        preset = PRESETS[number % len(PRESETS)]
        seats = list(BOTS)[: max(set(Rules.of(preset).players) & {3, 4})]
        seats = seats[number % len(seats) :] + seats[: number % len(seats)]
        if number % len(PRESETS) == number // len(PRESETS):
            seats[0] = PERSON
        return Played(preset, tuple(seats), seed=self._number * TABLES + number)

    async def _open(self, table: Played) -> str:
        """Opens it and fills all seats; the token of the person, if one sits there."""
        opened = await self._tables.CreateTable(
            tables_pb2.CreateTableRequest(
                rules=rules_pb2.RulesSpec(preset=table.preset),
                players=len(table.seats),
                seed=table.seed,
            )
        )
        table.name = opened.table.table
        token = ""
        for seat, who in enumerate(table.seats):
            request = tables_pb2.JoinTableRequest(
                table=table.name, seat=seat, ticket=opened.tickets[seat]
            )
            if who in BOTS:
                await self._join(request, self._tokens[who])
            else:
                request.display_name = who
                token = (await self._tables.JoinTable(request)).seat_token
        return token

    async def _join(self, request: tables_pb2.JoinTableRequest, token: str) -> None:
        """Once the bot's stream is there."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    await self._tables.JoinTable(request, metadata=bearer(token))
                except grpc.aio.AioRpcError as error:
                    if error.code() is not grpc.StatusCode.FAILED_PRECONDITION:
                        raise
                    await asyncio.sleep(0.1)
                else:
                    return

    async def _watch(self, table: Played) -> None:
        """From the last entry known, or all over again, until the match is over."""
        last = 0
        while True:
            after = self._chance.choice((0, last))
            request = tables_pb2.WatchTableRequest(table=table.name, after_seq=after)
            try:
                async for response in self._tables.WatchTable(request):
                    match response.WhichOneof("body"):
                        case "entry":
                            assert response.entry.seq == after + 1
                            after += 1
                            last = max(last, after)
                            self._entries += table.see(response.entry)
                            self._moved.set()
                        case "ended":
                            self._over += 1
                            self._moved.set()
                            return
                        case _:
                            pass
            except grpc.aio.AioRpcError as error:
                if error.code() not in GONE:
                    raise
                await asyncio.sleep(0.05)

    async def _act(self, table: Played, token: str) -> None:
        """Does the first thing that is legal, call by call."""
        seat = table.seats.index(PERSON)
        wait = tables_pb2.GetViewRequest(table=table.name, seat=seat, wait_ms=1_000)
        metadata = bearer(token)
        while True:
            try:
                answer = await self._tables.GetView(wait, metadata=metadata)
                if answer.view.phase == match_pb2.PHASE_OVER:
                    return
                if answer.view.ask:
                    command = await self._answer(table, answer.view, metadata)
                    seq = answer.view.seq + 1
                    table.acknowledged.append((seq, seat, command))
            except grpc.aio.AioRpcError as error:
                if error.code() not in GONE:
                    raise
                await asyncio.sleep(0.05)

    async def _answer(
        self, table: Played, seen: match_pb2.View, metadata: tuple[tuple[str, str], ...]
    ) -> Command:
        decision = match_pb2.Decision(seq=seen.seq, seat=seen.seat)
        tables, name = self._tables, table.name
        match seen.ask:
            case match_pb2.ASK_BID:
                bid = seen.legal_bids[0]
                request = tables_pb2.PlaceBidRequest(
                    table=name, decision=decision, bid=bid
                )
                await tables.PlaceBid(request, metadata=metadata)
                return PlaceBid(bid)
            case match_pb2.ASK_PLAY:
                card = seen.legal_cards[0]
                played = tables_pb2.PlayCardRequest(
                    table=name, decision=decision, card=card
                )
                await tables.PlayCard(played, metadata=metadata)
                return PlayCard(card, JokerCall.NONE)
            case match_pb2.ASK_TRUMP:
                suit = seen.legal_suits[0]
                chosen = tables_pb2.ChooseTrumpRequest(
                    table=name, decision=decision, suit=suit
                )
                await tables.ChooseTrump(chosen, metadata=metadata)
                return ChooseTrump(suit)
            case _:
                cards = tuple(seen.hand[:BID_CARDS])
                laid = tables_pb2.LayBidCardsRequest(
                    table=name,
                    decision=decision,
                    bid_cards=match_pb2.BidCards(cards=cards),
                )
                await tables.LayBidCards(laid, metadata=metadata)
                return Lay(cards, Claim.NONE)

    async def _kill(self, times: int, whole: int) -> None:
        """Kills the server at so many random points of the way through all entries."""
        points = sorted(self._chance.randrange(whole * 9 // 10) for _ in range(times))
        for point in points:
            while self._entries < point and self._over < TABLES:
                self._moved.clear()
                await self._moved.wait()
            # Also between the entries, and while the server starts.
            await asyncio.sleep(self._chance.choice((0, self._chance.random() / 20)))
            self._server.end()
            await asyncio.to_thread(self._server.start)

    async def _check(self, table: Played, expected: str) -> None:
        wanted = tables_pb2.GetRecordRequest(table=table.name)
        record = await self._tables.GetRecord(wanted)
        assert record.text == expected, f"{table.name} ({table.preset}) went otherwise"
        entries = parse_record(record.text).entries
        for seq, seat, command in table.acknowledged:
            assert holds(entries[seq - 1].event, seat, command), (
                f"{table.name}: {command} of seat {seat} is not in entry {seq}"
            )
        assert sorted(table.seen) == list(range(1, len(entries) + 1))


def holds(event: Event, seat: int, command: Command) -> bool:
    """Whether an entry is, or contains, what a seat did."""
    match command, event:
        case PlaceBid(bid), BidMade():
            return event == BidMade(seat, bid)
        case PlaceBid(bid), BidsOpened():
            return event.bids[seat] == bid
        case PlayCard(), CardPlayed():
            return (event.seat, event.card) == (seat, command.card)
        case ChooseTrump(suit), TrumpMade():
            return (event.seat, event.trump) == (seat, suit)
        case Lay(), BidCardsLaid():
            laid = split_by_seat(event.cards, event.counts)[seat]
            return sorted(laid) == sorted(command.cards)
        case _:
            return False


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


def registered(where: str) -> dict[str, str]:
    """Registers the bots in a store that no server has open; their tokens."""
    with Store(where) as store:
        registry = BotRegistry(store.bots)
        return {name: registry.register(name) for name in BOTS}


async def rounds(
    where: str, folder: Path, *, kills: Sequence[int], first: int = 0
) -> AsyncIterator[Counts]:
    """Plays rounds with so many kills each on one store; what each came to."""
    tokens = registered(where)
    server = Server(where, folder, flags=("--log-level", "warning"))
    server.start()
    try:
        async with playing_bots(server.address, tokens):
            for number, times in enumerate(kills, start=first):
                yield await Round(server, tokens, number).play(times)
    finally:
        server.close()
    with Store(where) as store:
        assert audit(store).findings == []
