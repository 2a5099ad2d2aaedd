"""Bootstrap weights: the same everywhere, and Poisson."""

import hashlib
import math

import numpy as np
import pytest

from tournament.stats.bootstrap import poisson_weights


def test_weights_are_these_bytes_on_every_machine() -> None:
    weights = poisson_weights(50, 40)
    digest = hashlib.sha256(weights.tobytes()).hexdigest()
    assert digest[:16] == "3d71b883a09f7daf"


def test_a_longer_run_extends_the_weights_of_a_shorter_one() -> None:
    assert np.array_equal(poisson_weights(30)[:, :20], poisson_weights(20))


def test_weights_have_the_frequencies_of_a_poisson_variable_of_mean_one() -> None:
    weights = poisson_weights(1000, 400)
    for value in range(5):
        share = float((weights == value).mean())
        expected = math.exp(-1) / math.factorial(value)
        assert share == pytest.approx(expected, abs=0.003)
