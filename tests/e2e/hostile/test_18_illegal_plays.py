"""Every card and bid that is not legal, at every decision of a match."""

from __future__ import annotations

from collections.abc import Awaitable
from pathlib import Path

import grpc

from ohhell.v1 import cards_pb2, match_pb2, rules_pb2, tables_pb2
from tests.doubles.serving import Person, person_at, refused, serving, someone

INVALID = grpc.StatusCode.INVALID_ARGUMENT
PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION


async def try_everything(person: Person, view: match_pb2.View) -> set[str]:
    """The reasons why what is not legal is refused; asserts that nothing changes."""
    decision = match_pb2.Decision(seq=view.seq, seat=person.seat)
    tables, token = person.tables, person.token
    before = view.SerializeToString()
    reasons: set[str] = set()
    calls: list[Awaitable[object]] = []
    if view.ask == match_pb2.ASK_BID:
        for bid in sorted({*range(view.size + 2), 2**32 - 1} - set(view.legal_bids)):
            place = tables_pb2.PlaceBidRequest(
                table=person.table, decision=decision, bid=bid
            )
            calls.append(tables.PlaceBid(place, metadata=token))
    else:
        for card in sorted(set(cards_pb2.Card.values()) - set(view.legal_cards)):
            play = tables_pb2.PlayCardRequest(
                table=person.table, decision=decision, card=card
            )
            calls.append(tables.PlayCard(play, metadata=token))
    for call in calls:
        refusal = await refused(call)
        assert refusal.code in (INVALID, PRECONDITION)
        reasons.add(refusal.reason)
    assert (await person.view()).SerializeToString() == before
    return reasons


async def test_nothing_that_is_not_legal_changes_anything(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            short = rules_pb2.RulesSpec(
                preset="pagat_standard",
                overrides={"deal_shape": '"list"', "deal_list": "[3, 2]"},
            )
            anna = await someone(tables, rules=short, seed=3)
            other = await someone(tables, rules=short, seed=4)
            reasons: set[str] = set()
            while (view := await anna.turn()).ask:
                reasons |= await try_everything(anna, view)
                await anna.act(view)
            assert {"BID_OUT_OF_RANGE", "CARD_NOT_HELD"} <= reasons
            assert (await other.play_on()).phase == match_pb2.PHASE_OVER
