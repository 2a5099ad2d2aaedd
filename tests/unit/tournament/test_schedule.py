"""Designs, counted out, and the draws that a round robin takes."""

from collections import Counter
from itertools import permutations

import pytest

from tournament.schedule import Draw, Kind, Span, UnplayableField, design, round_robin
from tournament.schedule.galois import galois_field, prime_power

PERFECT = [
    *((v, 3) for v in (4, 7, 13, 16, 19, 25, 31, 37, 43, 49)),
    *((v, 4) for v in (5, 9, 13, 17, 25, 29, 37, 41, 49)),
    *((v, 5) for v in (11, 16, 31, 41)),
    *((v, 6) for v in (7, 13, 19, 25, 31, 37, 43, 49)),
    *((v, 7) for v in (8, 29, 43)),
]


@pytest.mark.parametrize(("bots", "seats"), PERFECT)
def test_every_ordered_pair_is_met_once_at_every_offset(bots: int, seats: int) -> None:
    made = design(bots, seats)
    assert made.kind is Kind.PERFECT
    assert len(made.tables) == bots * (bots - 1) // seats
    met = Counter(
        (offset, bot, table[(place + offset) % seats])
        for table in made.tables
        for place, bot in enumerate(table)
        for offset in range(1, seats)
    )
    wanted = {
        (offset, x, y)
        for offset in range(1, seats)
        for x, y in permutations(range(bots), 2)
    }
    assert set(met) == wanted
    assert set(met.values()) == {1}


@pytest.mark.parametrize(
    ("seats", "orders"), [(3, 2), (4, 6), (5, 4), (6, 120), (7, 6)]
)
def test_as_many_bots_as_seats_meet_equally_at_every_offset(
    seats: int, orders: int
) -> None:
    made = design(seats, seats)
    balance = made.balance()
    assert len(made.tables) == orders
    assert balance.offsets == Span(orders // (seats - 1), orders // (seats - 1))
    assert balance.prefix == 0


def test_all_circular_orders_start_with_neighbours_spread_evenly() -> None:
    met = Counter(
        pair
        for table in design(6, 6).tables[:20]
        for pair in zip(table, (*table[1:], table[0]), strict=True)
    )
    assert len(met) == 30
    assert max(met.values()) - min(met.values()) <= 3


@pytest.mark.parametrize(
    ("bots", "seats", "meetings"),
    [(6, 4, 0), (8, 4, 0), (10, 4, 2), (10, 5, 4), (12, 4, 3), (5, 3, 0), (6, 5, 0)],
)
def test_annealed_tables_are_equal_per_bot_and_near_equal_per_pair(
    bots: int, seats: int, meetings: int
) -> None:
    made = design(bots, seats)
    balance = made.balance()
    assert made.kind is Kind.ANNEALED
    assert all(len(set(table)) == seats for table in made.tables)
    assert balance.tables.least == balance.tables.most
    assert balance.meetings.most - balance.meetings.least <= meetings
    assert balance.next_to.most - balance.next_to.least <= 2
    assert balance.prefix == 1


@pytest.mark.parametrize("field", [(7, 3), (13, 3), (9, 4), (13, 4), (11, 5), (16, 5)])
def test_perfect_designs_of_some_fifty_tables_may_stop_anywhere(
    field: tuple[int, int],
) -> None:
    assert design(*field).balance().prefix == 1


@pytest.mark.parametrize("field", PERFECT)
def test_no_perfect_design_lets_a_bot_fall_two_tables_behind_for_long(
    field: tuple[int, int],
) -> None:
    assert design(*field).balance().prefix <= 2


@pytest.mark.parametrize("field", [(300, 4), (30, 7)])
def test_large_fields_get_a_bounded_cycle_that_is_fair_in_tables(
    field: tuple[int, int],
) -> None:
    made = design(*field)
    assert len(made.tables) <= 512
    assert made.balance().tables.least == made.balance().tables.most


@pytest.mark.parametrize(
    ("bots", "seats", "said"),
    [
        (1, 4, "1 cannot be compared; 4 seats need at least 4 different ones"),
        (0, 3, "0 cannot be compared; 3 seats need at least 3 different ones"),
        (2, 4, r"add 2 more \(house bots count\)$"),
        (3, 4, r"add 1 more \(house bots count\) or play with 3 seats"),
        (9, 2, "3 to 7 seats a table, not 2"),
        (9, 8, "3 to 7 seats a table, not 8"),
    ],
)
def test_a_field_without_a_schedule_is_refused_with_what_would_do(
    bots: int, seats: int, said: str
) -> None:
    with pytest.raises(UnplayableField, match=said):
        design(bots, seats)


def test_the_first_block_draws_labels_then_its_first_place() -> None:
    asked: list[tuple[int, int]] = []

    def order(index: int) -> Draw:
        def draw(limit: int) -> int:
            asked.append((index, limit))
            return limit - 1

        return draw

    schedule = round_robin(5, 5, order)
    # Drawing the last of each leaves the labels as they are and turns by four places.
    assert schedule.block(4).seating == (4, 0, 1, 2, 3)
    assert asked == [(4, 5), (4, 4), (4, 3), (4, 2), (4, 5)]
    asked.clear()
    assert schedule.block(5).seating == (3, 0, 2, 4, 1)
    assert asked == [(4, 5), (4, 4), (4, 3), (4, 2), (5, 5)]


@pytest.mark.parametrize("q", [2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 49, 64, 121])
def test_the_powers_of_a_generator_are_all_non_zero_elements(q: int) -> None:
    field = galois_field(q)
    assert sorted(field.powers) == list(range(1, q))
    # Multiplying by the generator is linear, which holds in a field and nowhere else.
    times_g = {
        a: field.powers[(e + 1) % (q - 1)] for e, a in enumerate(field.powers)
    } | {0: 0}
    for a in range(0, q, 3):
        for b in range(q):
            assert times_g[field.add(a, b)] == field.add(times_g[a], times_g[b])


@pytest.mark.parametrize("q", [0, 1, 6, 10, 12, 36, 100])
def test_other_sizes_have_no_field(q: int) -> None:
    assert prime_power(q) is None
    with pytest.raises(ValueError, match="not a prime power"):
        galois_field(q)
