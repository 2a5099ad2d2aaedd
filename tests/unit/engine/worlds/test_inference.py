"""What a play tells, against the duties asked about whole hands."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from engine.deal import DealRules, deal_rules
from engine.legality import legal_kinds
from engine.pack import BIT, kinds_in
from engine.rules import Rules
from engine.trick import JokerCall, on_table
from engine.worlds.inference import ruled_out

STRICT = {"must_trump": True, "must_overtrump": True, "must_head": True}
TABLES = [
    Rules.of("pagat_standard"),
    Rules.of("pagat_standard", {"must_trump": True}),
    Rules.of("pagat_standard", {"must_head": True}),
    Rules.of("bust", STRICT),
    Rules.of("la_pocha"),
    Rules.of("jokers_suit", {"must_trump": True}),
    Rules.of("blackout_jokers"),
    Rules.of("blackout_jokers", {"must_trump": True}),
    Rules.of("wizard", STRICT),
]


def shared_by(rules: Rules) -> DealRules:
    return deal_rules(rules, min(rules.players))


@given(st.sampled_from(TABLES), st.integers(0, 6), st.integers(1, 2), st.data())
def test_a_play_rules_out_exactly_the_hands_that_had_to_play_otherwise(
    rules: Rules, trump: int, trick: int, data: st.DataObject
) -> None:
    shared = shared_by(rules)
    kinds = st.integers(0, len(shared.pack.kinds) - 1)
    before = data.draw(st.lists(kinds, max_size=4))
    called = shared.duties.called_mask
    calls = st.sampled_from([JokerCall.HIGH, JokerCall.LOW])
    plays = [
        (k, data.draw(calls) if called & BIT[k] else JokerCall.NONE) for k in before
    ]
    table = on_table(shared.tables, trump, plays)
    hand = data.draw(st.lists(kinds, min_size=1, max_size=9, unique=True))
    held = sum(BIT[k] for k in hand)
    # A trump without cards, as jokers in a pack that has none, is no trump at all.
    assume(trump != 5 or shared.pack.joker_mask)
    legal = legal_kinds(shared.duties, held, trump, table.suit, table.beats, trick)
    for k in kinds_in(held):
        never = ruled_out(shared.duties, k, trump, table.suit, table.beats, trick)
        assert bool(legal & BIT[k]) == (not held & never)
