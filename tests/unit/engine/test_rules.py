import hashlib
import json
import pickle

import pytest

from engine.errors import Code, IllegalRules, Violation
from engine.presets import ALIASES, PRESETS, find_presets, preset_names
from engine.rules import PARAMETER_NAMES, Rules
from engine.scoring import SCHEMES, Coefficients
from tests.doubles.flavour import IS_COMPILED

every_preset = pytest.mark.parametrize("preset", preset_names())


def refused(preset: str, players: int | None = None, **overrides: object) -> str:
    with pytest.raises(IllegalRules) as error:
        Rules.of(preset, overrides, players=players)
    return str(error.value)


def test_there_are_54_presets() -> None:
    assert len(PRESETS) == 54


@every_preset
def test_every_preset_is_legal_for_all_its_player_counts(preset: str) -> None:
    rules = Rules.of(preset)
    assert [rules.validate(n) for n in rules.players] == [()] * len(rules.players)


@every_preset
def test_a_preset_is_read_back_from_its_parameters(preset: str) -> None:
    rules = Rules.of(preset)
    text = json.dumps(rules.parameters())
    assert Rules.of_parameters(json.loads(text)) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules  # noqa: S301 - our own bytes
    assert hash(Rules.of(preset)) == hash(rules)


def test_overrides_replace_maps_as_a_whole() -> None:
    rules = Rules.of("pagat_standard", {"deal_high": {"4": 9}})
    assert rules.parameters()["deal_high"] == {"4": 9}
    assert "deal_high is a map without 5 players" in rules.validate(5)[0].message


def test_parameters_come_under_all_their_names() -> None:
    assert tuple(Rules.of("clag").parameters()) == PARAMETER_NAMES
    assert len(PARAMETER_NAMES) == len(set(PARAMETER_NAMES)) == 43


def test_the_hash_is_that_of_canonical_json() -> None:
    rules = Rules.of("bust")
    text = rules.canonical(4)
    parsed = json.loads(text)
    assert parsed == {"n": 4, **rules.parameters()}
    assert text == json.dumps(parsed, separators=(",", ":"), sort_keys=True)
    assert rules.hash(4) == hashlib.sha256(text.encode()).hexdigest()
    assert rules.hash(4) == (
        "78ec51acb8bb459a7215c1cd90fde536dac56a4abf1e59570e59d943e703a0ae"
    )


def test_the_order_of_a_set_does_not_change_the_hash() -> None:
    one = Rules.of("pagat_standard", {"players": [5, 3, 4, 3]})
    other = Rules.of("pagat_standard", {"players": [3, 4, 5]})
    assert one == other
    assert one.hash(4) == other.hash(4) != one.hash(5)


def test_a_parameter_changes_the_hash() -> None:
    hashes = {
        Rules.of("pagat_standard", {name: value}).hash(4)
        for name, value in (("hook", True), ("hook", False), ("must_trump", True))
    }
    assert len(hashes) == 3


def test_aliases_stand_for_their_presets() -> None:
    assert Rules.of("blob") == Rules.of("blackout")
    assert [a for a, to in ALIASES.items() if Rules.of(a) != Rules.of(to)] == []
    assert not set(ALIASES) & set(PRESETS)


def test_presets_are_found_by_words_of_name_alias_or_title() -> None:
    assert find_presets("oh pshaw") == ("pagat_standard",)
    assert find_presets("romanian") == ("romanian_whist", "romanian_whist_818")
    assert find_presets("Secret bids") == ("simple_simultaneous", "simultaneous")
    assert find_presets("chess") == ()


def test_unknown_names_are_refused_with_the_nearest() -> None:
    assert refused("pagat_standart") == (
        'unknown preset "pagat_standart"; did you mean pagat_standard?'
    )
    assert "did you mean hook?" in refused("bust", hok=True)
    assert "did you mean pagat_standard?" in refused("pagat")
    with pytest.raises(IllegalRules) as error:
        Rules.of("bust", {"zzzzzz": 1})
    message = 'unknown parameter "zzzzzz"'
    expected = Violation(Code.BAD_CONFIG, "domain", "zzzzzz", '"zzzzzz"', message)
    assert error.value.violations == (expected,)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("la_podrida_e", "la_podrida_es or la_podrida"),
        ("simple", "simple_standard or simple_reverse or simple_up_down"),
    ],
)
def test_no_more_than_the_nearest_names_are_told(name: str, hint: str) -> None:
    assert refused(name).endswith(f"; did you mean {hint}?")


def test_a_value_that_cannot_be_read_is_not_asked_to_go_with_others() -> None:
    assert refused("jokers_suit", players=4, pack="std55").startswith("pack = ")
    assert refused("jokers_suit", players=4, pack="std55").count("joker_mode") == 0


def test_all_violations_are_reported_at_once() -> None:
    with pytest.raises(IllegalRules) as error:
        Rules.of(
            "pagat_standard",
            {"hok": 1, "hook": True, "bid_mode": "simultaneous", "deal_step": True}
            | {"pack": "std54", "max_deals": 0, "trump_method": "fixed"},
            players=4,
        )
    found = {(v.rule, v.parameter) for v in error.value.violations}
    assert found == {
        ("domain", "hok"),
        ("domain", "deal_step"),
        ("domain", "max_deals"),
        ("domain", "trump_suit"),
        ("4", "hook"),
        ("7", "joker_mode"),
    }
    assert error.value.code is Code.BAD_CONFIG


@pytest.mark.parametrize(("pack", "cards"), [("std52", 52), ("top32", 32)])
def test_hands_are_as_large_as_the_pack_allows_and_no_larger(
    pack: str, cards: int
) -> None:
    for players in range(2, 11):
        most = cards // players
        table = {"pack": pack, "players": [players]}
        Rules.of("pagat_standard", {**table, "deal_high": most}, players=players)
        with pytest.raises(IllegalRules, match=f"do not fit.*at most {most}$"):
            Rules.of(
                "pagat_standard", {**table, "deal_high": most + 1}, players=players
            )


def test_messages_show_values_as_a_spec_has_them() -> None:
    assert "hook = null: must be true or false" in refused("bust", hook=None)
    assert 'deal_low = "1": must be a whole number from 1' in refused(
        "bust", deal_low="1"
    )


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("deal_low", True),
        ("deal_low", 1.0),
        ("deal_high", {"3": True}),
        ("deal_high", {3: 10}),
        ("deal_high", {"11": 2}),
        ("deal_count", {"4": None}),
        ("players", [True, 3]),
        ("players", {"4": 4}),
        ("deal_kinds", {"01": "blind"}),
        ("deal_kinds", {1: "blind"}),
        ("trump_sequence", {"0": "S"}),
        ("first_dealer", "seat:10"),
        ("first_dealer", "seat:"),
        ("turn_repeat", "Players"),
        ("stake_per_point", 0.5),
        ("max_deals", 10**10),
        ("scoring", {}),
        ("scoring", {"A": 1.5}),
        ("scoring", {"a": 1}),
        ("scoring", ["standard"]),
        ("pack", None),
        ("hook", 0),
    ],
)
def test_a_value_outside_its_domain_is_refused(parameter: str, value: object) -> None:
    with pytest.raises(IllegalRules) as error:
        Rules.of("pagat_standard", {parameter: value})
    assert [v.parameter for v in error.value.violations] == [parameter]


def test_own_coefficients_may_stand_in_the_place_of_a_scheme() -> None:
    rules = Rules.of("bust", {"scoring": {"A": 5, "B": 2, "Md": -3}}, players=4)
    assert rules.coefficients == Coefficients(A=5, B=2, Md=-3)
    assert rules.parameters()["scoring"] == {
        **dict.fromkeys(Coefficients._fields, 0),
        "A": 5,
        "B": 2,
        "Md": -3,
    }
    assert Rules.of_parameters(rules.parameters()) == rules


def test_every_named_scheme_has_coefficients_but_ninety_nine() -> None:
    for scheme, coefficients in SCHEMES.items():
        assert Rules.of("bust", {"scoring": scheme}).coefficients == coefficients
    assert Rules.of("ninety_nine").coefficients is None


@pytest.mark.parametrize("players", [-1, 0, 1, 7, True])
def test_other_numbers_of_players_are_refused_by_name(players: int) -> None:
    violations = Rules.of("bust").validate(players)
    # Compiled code takes True for the number 1 before it sees it.
    is_told_apart = players is True and not IS_COMPILED
    value = "true" if is_told_apart else str(int(players))
    message = f"{value} players: these rules are for 3 4 5 6"
    assert violations == (
        Violation(Code.BAD_PLAYER_COUNT, "1", "players", value, message),
    )


@pytest.mark.parametrize("players", [-1, 0, 1, 11])
def test_no_number_of_players_hides_that_the_list_of_them_is_wrong(
    players: int,
) -> None:
    for preset in ("wizard", "boerenbridge"):
        with pytest.raises(IllegalRules) as error:
            Rules.of(preset, {"players": [], "deal_low": 0}, players=players)
        found = [(v.code, v.parameter) for v in error.value.violations]
        assert found == [(Code.BAD_CONFIG, "players"), (Code.BAD_CONFIG, "deal_low")]


@pytest.mark.parametrize(
    ("players", "rules"),
    [(1, ["domain"]), (2, ["domain", "4"]), (10, ["domain", "4"]), (11, ["domain"])],
)
def test_a_wrong_list_of_numbers_leaves_the_other_questions(
    players: int, rules: list[str]
) -> None:
    wrong = {"players": [], "bid_mode": "simultaneous", "deal_high": 3}
    with pytest.raises(IllegalRules) as error:
        Rules.of("pagat_standard", wrong, players=players)
    assert [v.rule for v in error.value.violations] == rules


def test_huge_numbers_take_no_time_and_no_room() -> None:
    overrides: dict[str, object] = {"turn_repeat": 10_000, "end_repeat": 10_000}
    assert Rules.of("up_down", overrides, players=4).validate(4) == ()
    assert "from 1 to 10000" in refused("up_down", turn_repeat=10_001)
    assert "do not fit the pack" in refused("up_down", players=4, deal_high=10**9)


def test_a_seat_that_deals_first_must_exist() -> None:
    assert (
        Rules.of("bust", {"first_dealer": "seat:3"}, players=4).first_dealer_seat == 3
    )
    assert "seats are 0 to 2" in refused("bust", players=3, first_dealer="seat:3")
    assert Rules.of("bust", {"first_dealer": "host"}).first_dealer_seat == 0
    assert Rules.of("bust").first_dealer_seat is None


def test_special_deals_beyond_the_plan_have_no_effect() -> None:
    kinds = {"deal_kinds": {"21": "guess_trump"}}
    assert Rules.of("wizard", kinds, players=3).validate(3) == ()
    assert "deal 20 = guess_trump" in refused(
        "wizard", players=3, deal_kinds={"20": "guess_trump"}
    )


def test_a_match_without_any_trump_is_worth_a_warning() -> None:
    sizes = {"deal_shape": "fixed", "deal_high": {"3": 9, "4": 8}, "deal_count": 2}
    rules = Rules.of("largest_no_trump", sizes)
    assert [w.rule for w in rules.warnings(4)] == ["10"]
    assert "all have 8 cards" in rules.warnings(4)[0].message
    assert Rules.of("largest_no_trump").warnings(4) == ()


def test_amending_can_be_taken_out_of_rules() -> None:
    rules = Rules.of("pagat_standard", {"last_bid_amend": "until_first_lead"})
    assert rules.without_amending() == Rules.of("pagat_standard", {"bid_amend": "none"})


def test_errors_survive_a_process_boundary() -> None:
    with pytest.raises(IllegalRules) as error:
        Rules.of("bust", {"hook": 3})
    copy = pickle.loads(pickle.dumps(error.value))  # noqa: S301 - our own bytes
    assert copy.violations == error.value.violations


def test_a_long_value_is_cut_short_in_the_message() -> None:
    assert len(refused("bust", deal_low="9" * 10_000)) < 250
    assert len(refused("bust", **{"x" * 10_000: 1})) < 250
