"""Numbers of things in words."""

from tournament.counted import counted


def test_one_thing_is_not_told_of_as_several() -> None:
    said = [counted(number, "block") for number in (0, 1, 2)]
    assert said == ["0 blocks", "1 block", "2 blocks"]
