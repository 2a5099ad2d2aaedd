"""Jokers, bid cards, chosen trump, hands that nobody or everybody else sees."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.phase import Phase
from engine.view import view
from ohhell.v1 import cards_pb2, frames_pb2, match_pb2
from tests.doubles.frames import FrameClient, answer
from tests.doubles.stage import block_where, entry_of, staged

JOKERS = (cards_pb2.CARD_X1, cards_pb2.CARD_X2)
HIGH = match_pb2.JOKER_CALL_HIGH
LOW = match_pb2.JOKER_CALL_LOW


async def refusal(client: FrameClient) -> str:
    refused = (await client.next("result")).result
    assert not refused.accepted
    return refused.reason


def laying(
    prompt: match_pb2.View, cards: Sequence[int], claim: int = 0
) -> frames_pb2.ClientFrame:
    reply = frames_pb2.Answer(handle=prompt.handle, seq=prompt.seq)
    reply.bid_cards.cards.extend(cards)  # type: ignore[arg-type]  # codes are numbers
    reply.bid_cards.claim = claim  # type: ignore[assignment]  # as above
    return frames_pb2.ClientFrame(answer=reply)


async def test_a_joker_is_called_when_it_is_played_and_only_then() -> None:
    holding = block_where(
        lambda match: any(card in JOKERS for card in view(match, 0).hand),
        "blackout_jokers",
        5,
    )
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        table = stage.open_table(
            "anna", *["lowest"] * 4, preset="blackout_jokers", block=holding
        )
        await anna.send(answer(await anna.prompt()))
        # Not in the first trick, and not led.
        while not set(JOKERS) & set((asked := await anna.prompt()).legal_cards):
            assert asked.call == match_pb2.CALL_RULE_NONE
            await anna.send(answer(asked))
        assert asked.call == match_pb2.CALL_RULE_REQUIRED
        joker = next(card for card in asked.legal_cards if card in JOKERS)
        await anna.send(answer(asked, card=joker))
        assert await refusal(anna) == "CALL_REQUIRED"
        again = await anna.prompt()
        await anna.send(answer(again, card=joker, call=LOW))
        later = await anna.prompt()
        played = [e.played for e in anna.entries if e.HasField("played")]
        assert [(p.card, p.call) for p in played if p.seat == 0][-1] == (joker, LOW)
        assert LOW in later.joker_calls
        # A call where none is due is refused, and the card is not played.
        await anna.send(answer(later, card=later.legal_cards[0], call=HIGH))
        assert await refusal(anna) == "CALL_NOT_ALLOWED"
        assert table.guards[0].as_counts() == {"ILLEGAL": 2}


async def test_bid_cards_stay_hidden_and_a_granted_claim_shows_them() -> None:
    async with staged() as stage:
        clients = await stage.seats("anna", "ben", "cleo")
        stage.open_table("anna", "ben", "cleo", preset="ninety_nine")
        prompts = [await client.prompt() for client in clients]
        assert {prompt.ask for prompt in prompts} == {match_pb2.ASK_BID_CARDS}
        # Two cards are no bid; that is refused before anything is laid.
        await clients[0].send(laying(prompts[0], list(prompts[0].hand[:2])))
        assert await refusal(clients[0]) == "BAD_BID_CARDS"
        prompts[0] = await clients[0].prompt()
        claims = (match_pb2.CLAIM_DECLARE, match_pb2.CLAIM_REVEAL, 0)
        laid = [list(prompt.hand[:3]) for prompt in prompts]
        for client, prompt, cards, claim in zip(
            clients, prompts, laid, claims, strict=True
        ):
            await client.send(laying(prompt, cards, claim))
        entries = [(await entry_of(client, "laid")).laid for client in clients]
        for seat, entry in enumerate(entries):
            # A reveal beats a declaration; everybody sees their own cards besides.
            assert (entry.premium_seat, entry.premium_kind) == (
                1,
                match_pb2.CLAIM_REVEAL,
            )
            assert list(entry.claims) == []
            assert entry.counts[seat] == 3
            assert entry.counts[1] == 3
            others = {0, 1, 2} - {seat, 1}
            assert all(entry.counts[other] == 0 for other in others)
        shown = (await entry_of(clients[0], "shown")).shown
        assert shown.why == match_pb2.SHOWN_WHY_REVEAL
        prompt = (await clients[0].prompt()) if not prompts[0].leaders else prompts[0]
        assert prompt.shown_counts[1] >= 9
        assert list(prompt.bid_cards) == laid[0]
        assert prompt.shown_counts[2] == 0


async def test_the_dealer_chooses_trump_where_a_wizard_was_turned_up() -> None:
    turned = block_where(lambda match: match.phase is Phase.TRUMP_CHOICE, "wizard", 4)
    async with staged() as stage:
        anna, dealer = await stage.seats("anna", "dealer")
        stage.open_table(
            "anna", "lowest", "lowest", "dealer", preset="wizard", block=turned
        )
        asked = await dealer.prompt()
        assert (asked.ask, asked.trump) == (match_pb2.ASK_TRUMP, 0)
        assert list(asked.legal_suits) == [1, 2, 3, 4]
        await dealer.send(answer(asked, trump=5))
        assert await refusal(dealer) == "BAD_TRUMP_CHOICE"
        await dealer.send(answer(await dealer.prompt(), trump=cards_pb2.SUIT_HEARTS))
        first = (await entry_of(anna, "trump")).trump
        chosen = (await entry_of(anna, "trump")).trump
        assert (first.trump, first.HasField("seat")) == (0, False)
        assert (chosen.trump, chosen.seat) == (cards_pb2.TRUMP_HEARTS, 3)
        assert chosen.upcard == first.upcard
        assert (await anna.prompt()).trump == cards_pb2.TRUMP_HEARTS


async def test_on_the_forehead_a_card_is_played_unseen_and_naming_one_is_refused() -> (
    None
):
    async with staged() as stage:
        anna, ben = await stage.seats("anna", "ben")
        table = stage.open_table(
            "anna",
            "ben",
            "lowest",
            overrides={
                "deal_shape": "list",
                "deal_list": [1],
                "forehead": "all_one_card",
            },
        )
        dealt = (await entry_of(anna, "dealt")).dealt
        assert list(dealt.counts) == [0, 1, 1]
        bidding = await anna.prompt()
        assert (list(bidding.hand), bidding.forehead) == ([], True)
        assert list(bidding.shown_counts) == [0, 1, 1]
        await anna.send(answer(bidding))
        await ben.send(answer(await ben.prompt()))
        asked = await anna.prompt()
        assert (asked.ask, list(asked.legal_cards)) == (match_pb2.ASK_PLAY, [])
        own = view(table.match, 1).shown_cards[0]
        before = table.match.digest()
        # Its own card or any other: the refusal is the same.
        await anna.send(answer(asked, card=own))
        told = (await anna.next("result")).result
        again = await anna.prompt()
        assert (told.reason, list(told.legal_cards)) == ("CARD_HIDDEN", [])
        assert table.match.digest() == before
        await anna.send(answer(again, card=0))
        played = (await entry_of(anna, "played")).played
        assert (played.seat, played.card) == (0, own)


@pytest.mark.parametrize("kind", ["blind", "blind_in_order"])
async def test_a_blind_deal_is_bid_blind_and_seen_when_the_bids_are_in(
    kind: str,
) -> None:
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        stage.open_table(
            "anna",
            "lowest",
            "lowest",
            overrides={
                "deal_shape": "list",
                "deal_list": [2],
                "deal_kinds": {"1": kind},
            },
        )
        dealt = (await entry_of(anna, "dealt")).dealt
        assert list(dealt.counts) == [0, 0, 0]
        bidding = await anna.prompt()
        assert (list(bidding.hand), len(bidding.legal_bids)) == ([], 3)
        await anna.send(answer(bidding))
        asked = await anna.prompt()
        if kind == "blind":
            assert len(asked.hand) == 2
            await anna.send(answer(asked, card=asked.legal_cards[0]))
        else:
            # Cards are played in the order in which they were dealt.
            assert len(asked.legal_cards) <= 1
            await anna.send(
                answer(asked, card=asked.legal_cards[0] if asked.legal_cards else 0)
            )
        assert (await entry_of(anna, "played")).played.seat == 0
