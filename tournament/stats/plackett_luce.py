"""Plackett-Luce with ties (Davidson-Luce), fitted exactly to final ranks.

A match is a sequence of stages: from the bots that remain, a set S of one or more is
best and leaves. With worth e^theta and tie parameters delta_t = e^phi_t (delta_1 = 1),

    P(S | A) = f(S) / sum of f(T) over non-empty T in A,
    f(S) = delta_|S| * (product of the worths in S)^(1/|S|).

Ties of a size that never occurred have delta_t = 0. log f is linear in (theta, phi), so
each stage is a multinomial logit, and the log-likelihood with its Gaussian priors is
strictly concave: the maximum is unique, finite and independent of the order of the
matches. Newton's method finds it until no parameter moves by 1e-9; sums may be taken
in any order, as the answers are rounded far above what that changes.

References: Plackett 1975; Luce 1959; Davidson 1970; Turner, van Etten, Firth and
Kosmidis 2020.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from tournament.stats.scores import Floats, Indices
from tournament.stats.stages import (
    Ranking,
    distinct_sets,
    observed_counts,
    taken_apart,
)

PRIOR_SD = 2.0
"""Of theta: 347 points on the Elo scale; it keeps bots that always win finite."""
_TIE_PRIOR_SD = 10.0  # of phi: all but flat
_SETTLED = 1e-9
_MOST_STEPS = 100
_LONGEST_STEP = 3.0


class Fit(NamedTuple):
    """`parameters` are theta by bot, then phi by size of tie; `steps` were taken."""

    parameters: Floats
    settled: bool
    steps: int

    def strengths(self, bots: int) -> Floats:
        """Give theta by bot, moved to mean 0."""
        theta = self.parameters[:bots]
        centred: Floats = theta - theta.sum() / bots
        return centred


@dataclass(frozen=True, slots=True)
class _SameSize:
    """All distinct sets of m remaining bots, with what is common to that size.

    `at[s]` are the parameters that set s uses: its bots', then the tie parameters;
    row T of `features` says how they make log f(T), `products` its outer products.
    """

    sets: Indices
    at: Indices
    features: Floats
    products: Floats


class _Slope(NamedTuple):
    height: float
    gradient: Floats


class PlackettLuce:
    """The likelihood of some matches, to be fitted under any weights of blocks."""

    def __init__(
        self,
        rankings: Iterable[Ranking],
        *,
        bots: int,
        blocks: int,
        prior_sd: float = PRIOR_SD,
    ) -> None:
        """Gather the distinct stages of matches of blocks 0..blocks-1."""
        taken = taken_apart(rankings)
        sets = distinct_sets(taken.stages)
        self._stage_set, self._stage_block = sets.of_stage, sets.blocks
        self._observed, ties = observed_counts(taken, blocks=blocks, bots=bots)
        self._sets = sum(len(rows) for rows in sets.by_size)
        self._precision = np.array(
            [1 / prior_sd**2] * bots + [1 / _TIE_PRIOR_SD**2] * len(ties)
        )
        self._sizes = list(_by_size(sets.by_size, bots, ties))

    def fit(self, weights: Floats | None = None, start: Fit | None = None) -> Fit:
        """Maximise the posterior, each block counted `weights[block]` times (or once).

        The curvature is computed again only when a step has not been much shorter than
        the one before, which from a near `start` is at most once.
        """
        if weights is None:
            weights = np.ones(len(self._observed))
        observed = weights @ self._observed
        counts: Floats = np.bincount(
            self._stage_set,
            weights=weights[self._stage_block],
            minlength=self._sets,
        ).astype(float)
        here = np.zeros(len(observed)) if start is None else start.parameters
        slope = self._slope(here, observed, counts)
        curvature = self._curvature(here, counts)
        previous = np.inf
        for taken in range(1, _MOST_STEPS + 1):
            step = np.linalg.solve(curvature, slope.gradient).astype(float)
            longest = float(np.abs(step).max(initial=0.0))
            if longest < _SETTLED:
                return Fit(here + step, settled=True, steps=taken)
            bounded: Floats = step * min(1.0, _LONGEST_STEP / longest)
            there, slope = self._climb(here, bounded, slope, observed, counts)
            if longest > previous / 4:
                curvature = self._curvature(there, counts)
            here, previous = there, longest
        return Fit(here, settled=False, steps=_MOST_STEPS)

    def _climb(
        self,
        here: Floats,
        step: Floats,
        slope: _Slope,
        observed: Floats,
        counts: Floats,
    ) -> tuple[Floats, _Slope]:
        """Take the step, halved until it does not lead down by more than rounding."""
        tolerance = 1e-12 * (1 + abs(slope.height))
        there = here
        for _ in range(40):
            there = here + step
            after = self._slope(there, observed, counts)
            if after.height >= slope.height - tolerance:
                return there, after
            step = step / 2
        return here, slope

    def _slope(self, at: Floats, observed: Floats, counts: Floats) -> _Slope:
        pull = self._precision * at
        height = float(observed @ at - pull @ at / 2)
        gradient = observed - pull
        for same in self._sizes:
            count = counts[same.sets]
            chances, log_total = _chances(same, at)
            height -= float(count @ log_total)
            expected = count[:, None] * (chances @ same.features)
            gradient -= np.bincount(
                same.at.ravel(), weights=expected.ravel(), minlength=len(at)
            )
        return _Slope(height, gradient)

    def _curvature(self, at: Floats, counts: Floats) -> Floats:
        """Give minus the second derivative, which is positive definite."""
        size = len(at)
        total = np.diag(self._precision).ravel()
        for same in self._sizes:
            chances, _ = _chances(same, at)
            mean = chances @ same.features
            spread = (chances @ same.products).reshape(*mean.shape, -1)
            spread -= mean[:, :, None] * mean[:, None, :]
            spread *= counts[same.sets][:, None, None]
            places = same.at[:, :, None] * size + same.at[:, None, :]
            total += np.bincount(
                places.ravel(), weights=spread.ravel(), minlength=size * size
            )
        return total.reshape(size, size)


def _chances(same: _SameSize, at: Floats) -> tuple[Floats, Floats]:
    """Give P(T | A) for every set A and subset T, and the log of each A's total."""
    logs = at[same.at] @ same.features.T
    top = logs.max(axis=1)
    shares = np.exp(logs - top[:, None])
    total = shares.sum(axis=1)
    return shares / total[:, None], top + np.log(total)


def _by_size(
    by_size: Sequence[Indices], bots: int, ties: Sequence[int]
) -> Iterator[_SameSize]:
    tie_parameters = np.arange(bots, bots + len(ties), dtype=np.intp)
    known = 0
    for rows in by_size:
        features = _features(rows.shape[1], ties)
        products = features[:, :, None] * features[:, None, :]
        yield _SameSize(
            sets=np.arange(known, known + len(rows), dtype=np.intp),
            at=np.hstack([rows, np.tile(tie_parameters, (len(rows), 1))]),
            features=features,
            products=products.reshape(len(features), -1),
        )
        known += len(rows)


def _features(m: int, ties: Sequence[int]) -> Floats:
    """List log f(T) = sum of theta over T / |T| + phi_|T|, for each possible T."""
    rows = []
    for t in (1, *ties):
        for chosen in combinations(range(m), t):
            row = [0.0] * (m + len(ties))
            for bot in chosen:
                row[bot] = 1 / t
            if t > 1:
                row[m + ties.index(t)] = 1.0
            rows.append(row)
    return np.array(rows)
