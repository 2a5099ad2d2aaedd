"""Which bots can be compared."""

from tournament.stats.groups import meeting_groups, mutual_groups


def test_a_circle_is_one_group_and_a_ladder_is_none() -> None:
    assert mutual_groups([{1}, {2}, {0}]) == [[0, 1, 2]]
    assert mutual_groups([{1, 2}, {2}, set()]) == [[0], [1], [2]]


def test_two_circles_joined_one_way_are_two_groups_that_met() -> None:
    leads = [{1}, {0, 2}, {3}, {2}]
    assert mutual_groups(leads) == [[0, 1], [2, 3]]
    assert meeting_groups(leads) == [[0, 1, 2, 3]]


def test_those_that_never_met_are_apart() -> None:
    assert meeting_groups([{1}, set(), {3}, set(), set()]) == [[0, 1], [2, 3], [4]]


def test_a_long_chain_does_not_exhaust_the_stack() -> None:
    chain = [{bot + 1} for bot in range(4999)] + [{0}]
    assert mutual_groups(chain) == [list(range(5000))]
