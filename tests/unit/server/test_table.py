"""One table under a clock that the test moves."""

import pytest

from engine.events import BidAmended, BidMade, Cause, Dealt
from engine.fallback import PlaceBid, PlayCard
from engine.phase import Phase
from engine.trick import JokerCall
from server.clock import TimeControl
from server.guard import Fault
from server.observe import Observer, Verdict
from server.outcome import End, State
from server.players.port import Link, Withdrawal
from server.table import Table
from tests.doubles.tables import Game, game, setup

BLITZ = TimeControl(per_decision_ms=1000, bank_ms=2000, increment_ms=100, grace_ms=50)
ILLEGAL_BID = PlaceBid(99)


def causes(table: Table) -> list[Cause]:
    return [
        entry.cause
        for entry in table.match.entries()
        if entry.cause in (Cause.ANSWER, Cause.FALLBACK)
    ]


def clocked() -> Game:
    return game(setup(clock=BLITZ))


def test_an_accepted_answer_is_the_next_entry_and_the_next_seat_is_asked() -> None:
    play = game()
    seq = play.question().seq
    reply = play.send(PlaceBid(2))
    assert reply.accepted
    assert reply.entry == seq + 1
    assert play.table.match.entry(seq + 1).event == BidMade(0, 2)
    assert play.question().seat == 1
    assert play.question().seq == seq + 1


def test_a_match_is_played_to_its_end_and_told_once() -> None:
    play = game()
    play.play_on()
    assert play.ended == [play.table]
    outcome = play.table.outcome
    assert outcome is not None
    assert outcome.why is End.PLAYED
    assert outcome.scores == tuple(play.table.match.scores)
    assert [player.outcome for player in play.players] == [outcome] * 4
    assert play.table.state is State.FINISHED


def test_an_illegal_answer_may_be_corrected_once() -> None:
    play = game()
    refused = play.send(ILLEGAL_BID)
    assert (refused.accepted, refused.again) == (False, True)
    assert refused.reason == "BID_OUT_OF_RANGE"
    assert play.question().attempt == 2
    assert len(play.players[0].asked) == 2
    assert play.send(PlaceBid(1)).accepted
    assert play.table.guards[0].as_counts() == {"ILLEGAL": 1}


def test_the_second_illegal_answer_is_replaced_by_the_fallback_player() -> None:
    play = game()
    play.send(ILLEGAL_BID)
    reply = play.send(ILLEGAL_BID)
    assert (reply.accepted, reply.again) == (False, False)
    assert causes(play.table) == [Cause.FALLBACK]
    assert play.question().seat == 1
    assert play.players[0].withdrawn == [Withdrawal.DEFAULTED]


def test_an_answer_that_says_nothing_counts_as_an_illegal_one() -> None:
    play = game()
    assert play.send(None).reason == "ACTION_MISSING"
    assert play.question().attempt == 2
    assert play.table.guards[0].as_counts() == {"ILLEGAL": 1}


def test_the_clock_goes_on_while_an_illegal_answer_is_corrected() -> None:
    play = clocked()
    deadline = play.question().deadline
    play.clock.move(0.8)
    play.send(ILLEGAL_BID)
    assert play.question().deadline == deadline
    assert play.question().time_left(play.clock.now) == (200, 2000)
    play.clock.move(0.7)
    play.send(PlaceBid(1))
    assert play.table.clocks.banks[0] == 2000 - 500 + 100


def test_the_bank_is_used_only_beyond_the_limit_and_grows_by_the_increment() -> None:
    play = clocked()
    play.clock.move(0.9)
    play.send(PlaceBid(1))
    assert play.table.clocks.banks[0] == 2100
    play.clock.move(1.5)
    play.send(PlaceBid(1))
    assert play.table.clocks.banks[1] == 2000 - 500 + 100


def test_an_answer_read_at_the_deadline_wins_over_an_expiry_not_yet_applied() -> None:
    play = clocked()
    question = play.question()
    play.clock.now = question.deadline
    assert play.send(PlaceBid(1)).accepted
    play.clock.move(0.0)
    assert play.table.guards[0].as_counts() == {}


def test_an_answer_read_after_the_deadline_is_late_though_no_alarm_rang() -> None:
    play = clocked()
    question = play.question()
    play.clock.now = question.deadline + 0.001
    reply = play.table.answer(0, question.seq, 0, PlaceBid(1), play.clock.now)
    assert reply.reason == "DECISION_DEFAULTED"
    assert play.table.guards[0].as_counts() == {"DEADLINE": 1}


def test_expiry_plays_the_fallback_and_empties_the_bank() -> None:
    play = clocked()
    question = play.question()
    play.clock.move(3.04)
    assert play.question() is question
    play.clock.move(0.02)
    assert causes(play.table) == [Cause.FALLBACK]
    assert play.table.clocks.banks[0] == 0
    late = play.table.answer(0, question.seq, 1, PlaceBid(1), play.clock.now)
    assert late.reason == "DECISION_DEFAULTED"
    again = play.table.answer(0, question.seq, 1, PlaceBid(1), play.clock.now)
    assert again.reason == "DECISION_DEFAULTED"
    assert play.table.guards[0].as_counts() == {"DEADLINE": 1}


@pytest.mark.parametrize("fault", [Fault.DEADLINE, Fault.ILLEGAL])
def test_after_three_faults_of_a_class_the_seat_is_asked_no_more(fault: Fault) -> None:
    play = clocked()
    while not play.table.guards[0].kept_by_fallback:
        question = play.question()
        if question.seat != 0:
            play.send(play.legal())
        elif fault is Fault.DEADLINE:
            play.clock.move(question.deadline - play.clock.now)
        elif question.attempt == 1:
            play.send(PlayCard(None, JokerCall.NONE))
        else:
            play.send(play.legal())
    assert play.table.guards[0].counts == {fault: 3}
    asked = len(play.players[0].asked)
    play.play_on()
    assert len(play.players[0].asked) == asked
    assert play.table.guards[1].as_counts() == {}


def test_a_table_where_nobody_ever_answers_is_played_to_its_end() -> None:
    play = clocked()
    play.clock.move(200.0)
    outcome = play.table.outcome
    assert outcome is not None
    assert outcome.why is End.PLAYED
    assert outcome.faults == ({"DEADLINE": 3},) * 4
    assert set(causes(play.table)) == {Cause.FALLBACK}


def test_the_same_answer_again_gets_the_same_reply_and_another_one_a_refusal() -> None:
    play = game()
    seq = play.question().seq
    first = play.send(PlaceBid(2))
    same = play.table.answer(0, seq, 1, PlaceBid(2), play.clock.now)
    assert same == first._replace(duplicate=True)
    other = play.table.answer(0, seq, 1, PlaceBid(3), play.clock.now)
    assert other.reason == "DECISION_ALREADY_ANSWERED"
    assert play.table.match.seq == seq + 1


def test_a_refused_answer_that_is_repeated_counts_once() -> None:
    play = game()
    refused = play.send(ILLEGAL_BID, attempt=1)
    again = play.send(ILLEGAL_BID, attempt=1)
    assert again == refused._replace(duplicate=True)
    assert play.table.guards[0].as_counts() == {"ILLEGAL": 1}
    assert play.question().attempt == 2


def test_answers_to_decisions_that_are_not_open_change_nothing() -> None:
    play = game()
    seq = play.question().seq
    now = play.clock.now
    future = play.table.answer(0, seq + 7, 0, PlaceBid(1), now)
    assert future.reason == "UNKNOWN_DECISION"
    others = play.table.answer(1, seq, 0, PlaceBid(1), now)
    assert others.reason == "STALE_DECISION"
    assert play.table.match.seq == seq
    assert all(not guard.counts for guard in play.table.guards)


def test_who_names_no_decision_and_is_not_on_turn_hears_why() -> None:
    play = game(link=Link.UNARY)
    reply = play.table.answer_now(2, PlaceBid(1), play.clock.now)
    assert reply.reason == "NOT_YOUR_TURN"


def test_a_person_without_a_clock_may_err_as_often_as_they_like() -> None:
    play = game(link=Link.UNARY)
    for _ in range(5):
        assert play.send(ILLEGAL_BID).again
    assert play.send(PlaceBid(1)).accepted
    assert play.table.guards[0].as_counts() == {}


def test_leaving_gives_the_seat_to_the_fallback_player_for_good() -> None:
    play = game()
    play.table.leave(0)
    play.play_on()
    assert len(play.players[0].asked) == 1
    outcome = play.table.outcome
    assert outcome is not None
    assert outcome.faults == ({"LEFT": 1}, {}, {}, {})


def test_the_deal_goes_round_by_seats_whoever_is_there() -> None:
    play = game()
    match = play.table.match
    while match.deal_no < 4:
        assert play.send(play.legal()).accepted
    play.table.leave(2)
    play.play_on()
    dealers = [e.event.dealer for e in match.entries() if isinstance(e.event, Dealt)]
    assert dealers == [(3 + deal) % 4 for deal in range(19)]


def test_cancelling_withdraws_the_question_and_leaves_no_result() -> None:
    play = game()
    play.table.cancel()
    assert play.players[0].withdrawn == [Withdrawal.CANCELLED]
    assert play.table.outcome is not None
    assert play.table.outcome[:3] == (End.CANCELLED, (), ())
    assert play.ended == [play.table]


def test_an_amended_bid_takes_back_the_next_question_and_puts_it_again() -> None:
    play = game(setup("wurry", amendments=True))
    match = play.table.match
    first = play.question()
    play.send(PlaceBid(2))
    withdrawn = play.question()
    reply = play.table.amend(first.seat, match.seq, 3)
    assert reply.accepted
    assert match.entry(reply.entry).event == BidAmended(first.seat, 3)
    assert play.players[withdrawn.seat].withdrawn == [Withdrawal.AMENDED]
    assert play.question().seq == match.seq
    stale = play.table.answer(
        withdrawn.seat, withdrawn.seq, 0, PlaceBid(1), play.clock.now
    )
    assert stale.reason == "STALE_DECISION"
    assert play.send(PlaceBid(1)).accepted


def test_a_clocked_table_takes_two_amendments_of_one_bid() -> None:
    play = game(setup("wurry", amendments=True, clock=BLITZ))
    seat = play.question().seat
    play.send(PlaceBid(2))
    for bid in (3, 4):
        assert play.table.amend(seat, play.table.match.seq, bid).accepted
    assert play.table.amend(seat, play.table.match.seq, 5).reason == "BID_LOCKED"


def test_bids_are_final_where_the_table_does_not_offer_amending() -> None:
    play = game(setup("wurry"))
    seat = play.question().seat
    play.send(PlaceBid(2))
    reply = play.table.amend(seat, play.table.match.seq, 3)
    assert reply.reason == "BID_LOCKED"
    again = play.table.answer_now(seat, PlaceBid(3), play.clock.now)
    assert not again.accepted


def test_secret_bids_become_one_entry_when_the_last_is_in() -> None:
    play = game(setup("simultaneous"))
    table = play.table
    assert [q is not None for q in table.open] == [True] * 4
    seq = table.match.seq
    for seat in (2, 0, 3):
        reply = table.answer(seat, seq, 0, PlaceBid(1), play.clock.now)
        assert (reply.accepted, reply.entry) == (True, 0)
        assert table.match.seq == seq
    assert table.answer(2, seq, 0, PlaceBid(1), play.clock.now).duplicate
    assert table.answer(1, seq, 0, PlaceBid(1), play.clock.now).entry == seq + 1
    assert table.match.phase is Phase.PLAYING


def test_our_own_mistake_voids_the_table_and_charges_nobody() -> None:
    play = game()
    play.table.fail(RuntimeError("a card is missing"))
    assert play.table.outcome is not None
    assert play.table.outcome.why is End.VOIDED
    assert play.table.outcome.faults == ({},) * 4


def test_every_judgement_is_a_fact_for_observers() -> None:
    heard: list[tuple[Verdict, float]] = []

    class Ear(Observer):
        def decided(
            self, ask: int, verdict: Verdict, link: Link, seconds: float
        ) -> None:
            heard.append((verdict, seconds))

    play = game(setup(clock=BLITZ), observer=Ear())
    play.clock.move(0.5)
    play.send(ILLEGAL_BID)
    play.send(PlaceBid(1))
    play.clock.move(4.0)
    assert [verdict for verdict, _ in heard] == [
        Verdict.ILLEGAL,
        Verdict.OK,
        Verdict.TIMEOUT,
    ]
    assert heard[1][1] == 0.5
