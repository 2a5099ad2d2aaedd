"""What a seat may not know changes no byte of what it is sent, nor any log."""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterable, Sequence
from pathlib import Path

import grpc
import pytest

from engine.cards import card_text
from ohhell.v1 import rules_pb2, tables_pb2, tables_pb2_grpc
from tests.doubles.serving import new_table, person_at, serving, sit_down, someone
from tests.doubles.tables import setup

Watching = grpc.aio.UnaryStreamMultiCallable[tables_pb2.WatchTableRequest, bytes]

SEATS = 3
SIZE = 4
RULES: dict[str, object] = {"deal_shape": "list", "deal_list": [SIZE]}
SHUFFLES = 12


def shuffled_elsewhere(deck: Sequence[int], seed: int) -> list[int]:
    """The same pack; the hand of seat 0 and the upcard stay where they are."""
    kept = {place for place in range(SIZE * SEATS) if place % SEATS == 0}
    kept.add(SIZE * SEATS)
    moved = [place for place in range(len(deck)) if place not in kept]
    cards = [deck[place] for place in moved]
    random.Random(seed).shuffle(cards)  # noqa: S311 - decks of a test
    result = list(deck)
    for place, card in zip(moved, cards, strict=True):
        result[place] = card
    return result


DECK = list(setup(seats=SEATS, overrides=RULES).decks(1))
# Every table has these cards; its seed decides where those lie that seat 0 cannot see.
DEALS_ELSEWHERE = """
from server import served
from tests.e2e.hostile.test_01_non_interference import DECK, shuffled_elsewhere

def decks(seed, rules, players):
    cards = shuffled_elsewhere(DECK, int.from_bytes(seed[:8], "big"))
    return lambda deal: cards

served.SeededDecks = decks
"""
FIXED = rules_pb2.RulesSpec(
    preset="pagat_standard",
    overrides={
        "deal_shape": '"list"',
        "deal_list": f"[{SIZE}]",
        "first_dealer": '"seat:2"',
    },
)


async def read_to(calls: AsyncIterable[bytes], told: str, count: int = 1) -> bytes:
    """Everything up to so many messages of a kind, as it came."""
    read = b""
    async for data in calls:
        read += data
        message = tables_pb2.WatchTableResponse.FromString(data)
        is_entry = message.HasField("entry")
        count -= (message.entry if is_entry else message).WhichOneof("body") == told
        if not count:
            break
    return read


async def sent_of(channel: grpc.aio.Channel, seed: int) -> tuple[bytes, ...]:
    """To seat 0, to somebody who looks on, with a refusal; and what seat 1 holds."""
    tables = tables_pb2_grpc.TableServiceStub(channel)
    watch: Watching = channel.unary_stream(
        "/ohhell.v1.TableService/WatchTable",
        request_serializer=tables_pb2.WatchTableRequest.SerializeToString,
    )
    created = await new_table(tables, rules=FIXED, house_bots=[], seed=seed)
    table = created.table.table
    people = [await sit_down(tables, table) for _ in range(SEATS)]
    for person, bid in zip(people, (1, 0, 0), strict=True):
        await tables.PlaceBid(
            tables_pb2.PlaceBidRequest(table=table, bid=bid), metadata=person.token
        )
    look = tables_pb2.WatchTableRequest(table=table)
    seen = await read_to(watch(look), "bid", SEATS)
    look.seat = 0
    own = await read_to(watch(look, metadata=people[0].token), "prompt")
    not_held = tables_pb2.PlayCardRequest(table=table)
    not_held.card = DECK[1]  # type: ignore[assignment]  # an open enum
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await tables.PlayCard(not_held, metadata=people[0].token)
    trailers = list(refused.value.trailing_metadata() or ())
    refusal = repr((refused.value.code(), refused.value.details(), trailers)).encode()
    hand = bytes((await people[1].view()).hand)
    return own, seen, refusal, hand


async def test_hands_of_others_change_nothing_that_anybody_else_is_sent(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, prelude=DEALS_ELSEWHERE, shutdown__grace_s=0) as service:
        async with grpc.aio.insecure_channel(service.game) as channel:
            sent = [await sent_of(channel, seed) for seed in range(SHUFFLES)]
    own, seen, refusals, hands = (set(kind) for kind in zip(*sent, strict=True))
    assert len(hands) == SHUFFLES
    assert (len(own), len(seen), len(refusals)) == (1, 1, 1)
    assert len(own.pop()) > len(seen.pop())


NAMES = "|".join(card_text(card) for card in range(1, 53))
CARD = re.compile(rf"(?<![A-Za-z0-9_-])({NAMES})(?![A-Za-z0-9_-])|CARD_[2-9TJQKA]")
LOGS_TOO_MUCH = """
import structlog
import server.rpc.tables as tables
from engine.cards import card_text
seen = tables.view
def logged(match, viewer):
    view = seen(match, viewer)
    hand = [card_text(card) for card in view.hand]
    log = structlog.get_logger("mistake")
    log.error("seen", hand=hand, legal_cards=hand, plays=hand, upcard=hand, view=hand)
    log.error("dealt", deck=hand, seed="AS", cards=" ".join(hand))
    return view
tables.view = logged
"""


async def test_cards_that_are_logged_by_mistake_are_blanked(tmp_path: Path) -> None:
    with serving(tmp_path, prelude=LOGS_TOO_MUCH, shutdown__grace_s=0) as service:
        async with person_at(service.game) as tables:
            assert len((await (await someone(tables)).view()).hand) > 0
        service.end()
        log = service.log.read_text()
    assert '"event": "dealt"' in log
    assert not CARD.search(log)


async def test_no_log_line_and_no_metric_of_a_whole_match_names_a_card(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, "--log-level", "debug", shutdown__grace_s=0) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables, seed=12)
            other = await someone(tables, seed=13)
            illegal = await other.turn()
            await anna.play_on()
            assert illegal.ask
        _, metrics = service.http("/metrics")
        service.end()
        log = service.log.read_text()
    assert log
    assert not CARD.search(log)
    assert not CARD.search(metrics)
    assert "ohs_" not in log
    assert "seed" not in log
