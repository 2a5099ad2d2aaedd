import hashlib
import hmac
from collections import Counter

import pytest

from ohhell_bot import Draws

SEED = bytes(range(16))
PINNED = [5, 30, 6, 8, 19, 45, 5, 21]


def test_words_are_those_of_the_documented_algorithm() -> None:
    block = hmac.new(
        SEED, b"decision" + bytes([0, 0, 1, 2]) + bytes(8), hashlib.sha256
    ).digest()
    second = hmac.new(
        SEED, b"decision" + bytes([0, 0, 1, 2]) + bytes(7) + b"\x01", hashlib.sha256
    ).digest()
    expected = [int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4)]
    expected.append(int.from_bytes(second[:4], "big"))
    draws = Draws(SEED, 258)
    assert [draws.word() for _ in range(9)] == expected


def test_the_first_draws_of_a_seed_never_change() -> None:
    draws = Draws(SEED, 7)
    assert [draws.below(52) for _ in range(8)] == PINNED


def test_seats_and_decisions_draw_apart() -> None:
    words = {
        Draws(seed, seq).word() for seed in (SEED, bytes(16)) for seq in (1, 2, 256)
    }
    assert len(words) == 6


def test_every_value_below_m_comes_about_equally_often() -> None:
    counts = Counter(Draws(SEED, seq).below(6) for seq in range(6_000))
    assert set(counts) == set(range(6))
    assert all(850 < count < 1_150 for count in counts.values())


def test_a_shuffle_keeps_the_items_and_a_sample_takes_them_once() -> None:
    items = list(range(20))
    Draws(SEED, 1).shuffle(items)
    assert sorted(items) == list(range(20))
    assert items != list(range(20))
    sample = Draws(SEED, 2).sample(items, 5)
    assert len(set(sample)) == 5


def test_random_lies_in_the_unit_interval() -> None:
    values = [Draws(SEED, seq).random() for seq in range(500)]
    assert all(0 <= value < 1 for value in values)
    assert 0.4 < sum(values) / 500 < 0.6


@pytest.mark.parametrize("m", [0, -1, 2**32 + 1])
def test_impossible_ranges_are_refused(m: int) -> None:
    with pytest.raises(ValueError, match="below"):
        Draws(SEED, 1).below(m)


def test_nothing_can_be_chosen_from_nothing() -> None:
    with pytest.raises(IndexError):
        Draws(SEED, 1).choice([])
