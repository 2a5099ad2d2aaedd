import pytest

from engine.plan import deal_plan
from engine.rules import Rules
from engine.totals import Next, leaders, new_total, next_after, ranks, winners


def following(preset: str, deal: int, totals: list[int], **overrides: object) -> Next:
    rules = Rules.of(preset, overrides, players=len(totals))
    return next_after(rules, deal_plan(rules, len(totals)), deal, totals)


@pytest.mark.parametrize(
    ("old", "gained", "total"),
    [(79, 13, 92), (90, 10, 100), (95, 15, 90), (99, 0, 99), (0, 250, -50)],
)
def test_what_is_above_the_target_bounces_back(
    old: int, gained: int, total: int
) -> None:
    assert new_total(Rules.of("boerenbridge"), old, gained) == total


def test_totals_pass_the_target_where_nothing_bounces() -> None:
    assert new_total(Rules.of("ninety_nine"), 95, 60) == 155


def test_a_match_goes_on_to_the_end_of_its_plan() -> None:
    assert following("max7", 12, [1, 2, 3]) is Next.DEAL
    assert following("max7", 13, [1, 3, 3]) is Next.OVER


def test_a_tie_for_the_lead_asks_for_a_further_deal_and_again() -> None:
    tied = {"tie_policy": "extra_max_deals"}
    assert following("max7", 12, [3, 3, 1], **tied) is Next.DEAL
    assert following("max7", 13, [3, 3, 1], **tied) is Next.EXTRA_DEAL
    assert following("max7", 14, [3, 5, 5], **tied) is Next.EXTRA_DEAL
    assert following("max7", 15, [3, 5, 6], **tied) is Next.OVER
    assert following("max7", 13, [1, 1, 3], **tied) is Next.OVER


def test_no_extra_deal_is_played_beyond_the_last_one_allowed() -> None:
    tied: dict[str, object] = {"tie_policy": "extra_max_deals", "max_deals": 14}
    assert following("max7", 13, [3, 3, 1], **tied) is Next.EXTRA_DEAL
    assert following("max7", 14, [3, 3, 1], **tied) is Next.OVER
    assert following("max7", 5, [3, 2, 1], max_deals=5) is Next.OVER


def test_an_exact_target_is_not_reached_by_passing_it() -> None:
    exact: dict[str, object] = {"end": "exact_target", "target_score": 50}
    assert following("max7", 3, [51, 20, 0], **exact) is Next.DEAL
    assert following("max7", 3, [51, 50, 0], **exact) is Next.OVER
    assert following("boerenbridge", 499, [99, 0, 0, 0]) is Next.DEAL
    assert following("boerenbridge", 500, [99, 0, 0, 0]) is Next.OVER


def test_a_target_to_be_reached_may_be_passed() -> None:
    assert following("ninety_nine", 4, [99, 98, 0]) is Next.DEAL
    assert following("ninety_nine", 4, [99, 100, 0]) is Next.OVER
    assert following("ninety_nine", 4, [99, 101, 0]) is Next.OVER


def test_a_target_without_its_end_means_nothing() -> None:
    assert following("max7", 3, [90, 0, 0], target_score=50) is Next.DEAL


def test_all_on_the_exact_target_win_whatever_the_others_have() -> None:
    exact = Rules.of("max7", {"end": "exact_target", "target_score": 50})
    assert winners(exact, [51, 50, 50]) == (1, 2)
    assert ranks(exact, [51, 50, 50]) == (3, 1, 1)
    assert winners(exact, [51, 49, 51]) == (0, 2)


def test_equal_totals_share_a_place() -> None:
    rules = Rules.of("max7")
    assert leaders([3, -1, 3]) == (0, 2)
    assert ranks(rules, [3, -1, 3, 0]) == (1, 4, 1, 3)
    assert ranks(rules, [10, 40, 40, 40]) == (4, 1, 1, 1)
