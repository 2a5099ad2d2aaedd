"""Bids, message by message: the hook, secret bids, amendments that race."""

from __future__ import annotations

from engine.events import Cause
from ohhell.v1 import frames_pb2, match_pb2
from tests.doubles.frames import FrameClient, answer
from tests.doubles.stage import entry_of, notice_of, staged

SEALED = frames_pb2.NOTICE_KIND_SEALED
HIDDEN = match_pb2.BID_STATE_HIDDEN
NOT_YET = match_pb2.BID_STATE_NOT_YET
OPEN = match_pb2.BID_STATE_OPEN


def amend(handle: int, seq: int, bid: int) -> frames_pb2.ClientFrame:
    return frames_pb2.ClientFrame(
        amend=frames_pb2.Amend(handle=handle, seq=seq, bid=bid)
    )


async def result(client: FrameClient) -> frames_pb2.AnswerResult:
    return (await client.next("result")).result


async def test_the_last_bidder_is_told_what_the_hook_forbids_and_bids_again() -> None:
    async with staged() as stage:
        (dealer,) = await stage.seats("dealer")
        table = stage.open_table("lowest", "lowest", "lowest", "dealer")
        asked = await dealer.prompt()
        assert [asked.bid_states[seat] for seat in range(3)] == [OPEN] * 3
        hooked = asked.size - sum(asked.bids)
        assert hooked not in asked.legal_bids
        await dealer.send(answer(asked, bid=hooked))
        refused = await result(dealer)
        assert (refused.reason, list(refused.legal_bids)) == (
            "BID_HOOKED",
            list(asked.legal_bids),
        )
        again = await dealer.prompt()
        assert (again.seq, again.attempt) == (asked.seq, 2)
        # The same frame once more is the same refusal, and is not counted again.
        await dealer.send(answer(asked, bid=hooked))
        repeated = await result(dealer)
        assert (repeated.reason, repeated.duplicate) == ("BID_HOOKED", True)
        await dealer.send(answer(again, bid=again.legal_bids[-1]))
        entry = await entry_of(dealer, "bid")
        while entry.bid.seat != 3:
            entry = await entry_of(dealer, "bid")
        assert (entry.seq, entry.bid.bid) == (asked.seq + 1, again.legal_bids[-1])
        assert table.match.entry(entry.seq).cause is Cause.ANSWER
        assert table.guards[3].as_counts() == {"ILLEGAL": 1}


async def test_a_secret_bid_is_replaced_before_the_reveal_and_nobody_sees_it() -> None:
    async with staged() as stage:
        anna, ben = await stage.seats("anna", "ben")
        table = stage.open_table(
            "anna",
            "ben",
            "lowest",
            preset="simultaneous",
            amendments=True,
            overrides={"bid_amend": "until_next_bid"},
        )
        mine = await anna.prompt()
        # The house bot may have bid before Ben is asked.
        told = []
        while not (frame := await ben.next("prompt", "notice")).HasField("prompt"):
            told += [frame.notice] if frame.notice.kind == SEALED else []
        other = frame.prompt
        assert mine.seq == other.seq
        await anna.send(answer(mine, bid=2))
        while len(told) < 2:
            told.append(await notice_of(ben, SEALED))
        assert {(notice.seat, notice.handle) for notice in told} == {(0, 1), (2, 1)}
        await anna.send(amend(mine.handle, mine.seq, 1))
        replaced = await result(anna)
        assert (replaced.accepted, replaced.entry) == (True, 0)
        assert table.match.seq == mine.seq
        await ben.send(answer(other, bid=0))
        opened = await entry_of(ben, "bids")
        assert (opened.seq, list(opened.bids.bids)[:2]) == (mine.seq + 1, [1, 0])
        assert await entry_of(anna, "bids") == opened
        # One notice is all that was told of two secret bids.
        assert not [
            frame
            for frame in ben.unread
            if frame.HasField("notice") and frame.notice.kind == SEALED
        ]


async def test_who_comes_back_before_the_reveal_is_told_who_has_bid() -> None:
    async with staged() as stage:
        anna, ben = await stage.seats("anna", "ben")
        stage.open_table("anna", "ben", "lowest", preset="simultaneous")
        await anna.send(answer(await anna.prompt(), bid=1))
        await notice_of(ben, SEALED)
        again = await stage.connect("ben", entries=True)
        seats = {(await notice_of(again, SEALED)).seat}
        if len(seats) < 2:
            seats.add((await notice_of(again, SEALED)).seat)
        assert seats == {0, 2}
        prompt = await again.prompt()
        assert list(prompt.bid_states) == [HIDDEN, NOT_YET, HIDDEN]
        assert list(prompt.bids) == [0, 0, 0]


async def test_an_amendment_that_comes_first_takes_the_next_prompt_back() -> None:
    async with staged() as stage:
        anna, ben = await stage.seats("anna", "ben")
        table = stage.open_table("anna", "ben", "lowest", amendments=True)
        await anna.send(answer(await anna.prompt(), bid=1))
        asked = await ben.prompt()
        assert asked.bids[0] == 1
        await anna.send(amend(1, asked.seq, 0))
        assert (await result(anna)).entry == asked.seq + 1
        withdrawn = (await ben.next("withdrawn")).withdrawn
        assert (withdrawn.seq, withdrawn.reason) == (asked.seq, "AMENDED")
        amended = await ben.prompt()
        assert (amended.seq, amended.bids[0], amended.attempt) == (asked.seq + 1, 0, 1)
        # The answer to the first prompt was on its way: it is stale, not a fault.
        await ben.send(answer(asked, bid=1))
        stale = await result(ben)
        assert (stale.accepted, stale.reason) == (False, "STALE_DECISION")
        await ben.send(answer(amended, bid=2))
        entry = await entry_of(ben, "bid")
        while entry.bid.seat != 1:
            entry = await entry_of(ben, "bid")
        assert entry.bid.bid == 2
        assert table.guards[1].as_counts() == {}


async def test_an_amendment_that_comes_second_is_refused() -> None:
    async with staged() as stage:
        anna, ben = await stage.seats("anna", "ben")
        table = stage.open_table("anna", "ben", "lowest", amendments=True)
        await anna.send(answer(await anna.prompt(), bid=1))
        asked = await ben.prompt()
        await ben.send(answer(asked, bid=1))
        await anna.prompt()
        before = table.match.digest()
        await anna.send(amend(1, asked.seq, 0))
        refused = await result(anna)
        assert (refused.accepted, refused.reason) == (False, "BID_LOCKED")
        assert table.match.digest() == before
