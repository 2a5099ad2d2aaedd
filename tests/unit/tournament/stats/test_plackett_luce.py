"""The fit of final ranks, against choix, closed forms and brute force."""

import math
from itertools import combinations

import choix
import numpy as np
import pytest
from scipy import optimize  # type: ignore[import-untyped]  # it has none

from tests.doubles.stages import stages
from tournament.stats.plackett_luce import PlackettLuce
from tournament.stats.stages import Ranking

# A prior with next to no say; with less still, rounding alone would move all bots.
FLAT = 1e2


def rankings(seed: int, *, bots: int, seats: int, matches: int) -> list[Ranking]:
    """Draw matches of random tables from a Plackett-Luce field."""
    rng = np.random.default_rng(seed)
    theta = np.linspace(-1, 1, bots)
    drawn = []
    for block in range(matches):
        table = rng.choice(bots, size=seats, replace=False)
        order = np.argsort(-(theta[table] + rng.gumbel(size=seats)))
        ranks = np.empty(seats, dtype=int)
        ranks[order] = np.arange(1, seats + 1)
        drawn.append(Ranking(block, tuple(table.tolist()), tuple(ranks.tolist())))
    return drawn


@pytest.mark.parametrize(("bots", "seats"), [(4, 3), (6, 4), (8, 7)])
def test_without_ties_the_maximum_is_the_one_choix_finds(bots: int, seats: int) -> None:
    matches = rankings(7, bots=bots, seats=seats, matches=150)
    fit = PlackettLuce(matches, bots=bots, blocks=150, prior_sd=FLAT).fit()
    ordered = [
        tuple(bot for _, bot in sorted(zip(match.ranks, match.bots, strict=True)))
        for match in matches
    ]
    expected = choix.ilsr_rankings(bots, ordered, alpha=0, max_iter=1000, tol=1e-12)
    assert fit.settled
    assert fit.strengths(bots) == pytest.approx(expected - expected.mean(), abs=1e-5)


def test_two_bots_have_the_closed_form_of_davidsons_model() -> None:
    wins, losses, ties = 30, 10, 20
    results = [(1, 2)] * wins + [(2, 1)] * losses + [(1, 1)] * ties
    matches = [Ranking(0, (0, 1), ranks) for ranks in results]
    fit = PlackettLuce(matches, bots=2, blocks=1, prior_sd=FLAT).fit()
    theta = fit.strengths(2)
    # Odds of win to loss are exp(difference); ties are delta sqrt(product) as likely.
    assert theta[0] - theta[1] == pytest.approx(math.log(wins / losses), abs=1e-3)
    delta = ties / math.sqrt(wins * losses)
    assert math.exp(fit.parameters[2]) == pytest.approx(delta, rel=1e-3)


def chance_of(
    best: tuple[int, ...], remaining: tuple[int, ...], at: np.ndarray
) -> float:
    """Compute P(best | remaining) as its definition reads; 4 bots, ties of 2 and 3."""

    def weight(subset: tuple[int, ...]) -> float:
        if len(subset) > 3:
            return 0.0
        delta = 1.0 if len(subset) == 1 else math.exp(at[4 + len(subset) - 2])
        worth = math.exp(sum(float(at[bot]) for bot in subset) / len(subset))
        return delta * worth

    subsets = [
        subset
        for size in range(1, len(remaining) + 1)
        for subset in combinations(remaining, size)
    ]
    return weight(best) / math.fsum(weight(subset) for subset in subsets)


def test_with_ties_and_prior_no_other_parameters_are_likelier() -> None:
    ranks = [(1, 1, 3, 4), (1, 2, 2, 2), (2, 1, 3, 3), (4, 3, 1, 2), (1, 2, 3, 3)]
    matches = [Ranking(block, (0, 1, 2, 3), one) for block, one in enumerate(ranks)]
    weights = np.array([2.0, 1.0, 0.0, 3.0, 1.0])

    def loss(at: np.ndarray) -> float:
        prior = (at[:4] ** 2).sum() / (2 * 2.0**2) + (at[4:] ** 2).sum() / (2 * 10.0**2)
        return float(prior) - math.fsum(
            weights[match.block] * math.log(chance_of(best, remaining, at))
            for match in matches
            for remaining, best in stages(match.bots, match.ranks)
        )

    fit = PlackettLuce(matches, bots=4, blocks=5).fit(weights)
    brute = optimize.minimize(loss, np.zeros(6), method="BFGS", options={"gtol": 1e-9})
    assert fit.settled
    assert fit.parameters == pytest.approx(brute.x, abs=1e-5)


def test_a_warm_start_and_weights_do_not_change_the_maximum() -> None:
    matches = rankings(3, bots=6, seats=4, matches=40)
    model = PlackettLuce(matches, bots=6, blocks=40)
    weights = np.random.default_rng(1).poisson(1.0, 40).astype(float)
    repeated = [
        m._replace(block=0) for m in matches for _ in range(int(weights[m.block]))
    ]
    cold = PlackettLuce(repeated, bots=6, blocks=1).fit()
    warm = model.fit(weights, model.fit())
    assert warm.parameters == pytest.approx(cold.parameters, abs=1e-9)


def test_the_limit_of_steps_is_far_from_reached_even_by_a_perfect_record() -> None:
    matches = [Ranking(block, (0, 1, 2), (1, 2, 3)) for block in range(20_000)]
    fit = PlackettLuce(matches, bots=3, blocks=20_000).fit()
    assert fit.settled
    assert fit.steps < 40
    assert np.isfinite(fit.parameters).all()
