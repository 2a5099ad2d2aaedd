"""Any map of overrides is either read and playable or refused with reasons."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Code, IllegalRules, Violation
from engine.plan import (
    cards_dealt,
    certain_no_trump_deals,
    deal_plan,
    forehead_deals,
    is_forced_no_trump,
    turns_card_up,
)
from engine.presets import PRESETS, preset_names, preset_parameters
from engine.rules import PARAMETER_NAMES, Rules
from engine.shuffle import SeededDecks, admissible_permutations
from engine.trump import decide_trump

SEED = bytes(32)

junk = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.lists(st.integers(0, 9), max_size=3),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
)


def seen_in_presets(parameter: str) -> list[object]:
    values = [preset_parameters(preset)[parameter] for preset in PRESETS]
    return [value for i, value in enumerate(values) if value not in values[:i]]


BORROWED = {name: st.sampled_from(seen_in_presets(name)) for name in PARAMETER_NAMES}
borrowed = st.fixed_dictionaries({}, optional=BORROWED)
anything = st.dictionaries(
    st.one_of(st.sampled_from(PARAMETER_NAMES), st.text(max_size=6)), junk, max_size=4
)
presets = st.sampled_from(preset_names())
players = st.integers(0, 11)


def test_parameters_have_more_than_one_value_to_borrow() -> None:
    assert (
        len([name for name in PARAMETER_NAMES if len(seen_in_presets(name)) > 1]) > 30
    )


def read(
    preset: str, overrides: dict[str, object], n: int
) -> tuple[Rules | None, tuple[Violation, ...]]:
    try:
        return Rules.of(preset, overrides, players=n), ()
    except IllegalRules as error:
        return None, error.violations


@given(presets, anything, players)
def test_junk_is_refused_by_name_and_never_breaks_anything(
    preset: str, overrides: dict[str, object], n: int
) -> None:
    rules, violations = read(preset, overrides, n)
    for violation in violations:
        assert violation.code in (Code.BAD_CONFIG, Code.BAD_PLAYER_COUNT)
        assert json.dumps(violation.parameter).strip('"') in violation.message
    if rules is not None:
        assert rules.validate(n) == ()
        assert Rules.of_parameters(rules.parameters()) == rules


@settings(max_examples=300)
@given(presets, borrowed, players)
def test_what_is_accepted_can_be_planned_dealt_and_given_a_trump(
    preset: str, overrides: dict[str, object], n: int
) -> None:
    rules, _ = read(preset, overrides, n)
    if rules is None:
        return
    plan = deal_plan(rules, n)
    last = plan.length or rules.max_deals or 0
    assert last > 0
    assert set(forehead_deals(rules, n)) <= set(range(1, last + 1))
    pack = rules.pack_for(n)
    assert (1, 2, 3, 4) in admissible_permutations(rules, pack)
    deck = SeededDecks(SEED, rules, n, 0)(1)
    without = set(certain_no_trump_deals(rules, n))
    for deal in sorted({1, 2, last, last + 1}):
        size = plan.size(deal)
        dealt = n * cards_dealt(rules, size)
        assert dealt <= pack.size
        forced = is_forced_no_trump(rules, plan, deal)
        decision = decide_trump(
            rules,
            deal=deal,
            forced_no_trump=forced,
            successes=None if deal == 1 else 1,
            undealt=deck[dealt:],
            last_dealt=deck[dealt - 1],
        )
        if decision.upcard is not None:
            assert turns_card_up(rules, plan, deal, players=n)
        if forced or deal in without:
            assert decision.trump == 6
