"""Who may connect."""

import pytest

from server.registry import BotRegistry, Holder, RegistrationRefused


def test_a_token_is_told_once_and_kept_as_a_hash() -> None:
    bots = BotRegistry()
    token = bots.register("ada")
    assert token.startswith("ohb_")
    assert bots.holder_of(token) == Holder("ada")
    registered = bots.get("ada")
    assert registered is not None
    assert token not in repr(registered)


def test_a_disabled_bot_and_a_wrong_token_do_not_get_in() -> None:
    bots = BotRegistry()
    token = bots.register("ada")
    assert bots.holder_of(token + "x") is None
    registered = bots.get("ada")
    assert registered is not None
    registered.enabled = False
    assert bots.holder_of(token) is None


def test_two_tokens_are_valid_at_a_time_and_each_can_be_revoked() -> None:
    bots = BotRegistry()
    first = bots.register("ada")
    second = bots.issue("ada")
    with pytest.raises(RegistrationRefused, match="revoke one first"):
        bots.issue("ada")
    bots.revoke("ada", first[:12])
    assert (bots.holder_of(first), bots.holder_of(second)) == (None, Holder("ada"))


@pytest.mark.parametrize("name", ["", "-a", "a b", "ä", "x" * 64])
def test_names_are_ascii_letters_digits_and_hyphens(name: str) -> None:
    with pytest.raises(RegistrationRefused, match="is no name"):
        BotRegistry().register(name)


def test_a_name_is_registered_once() -> None:
    bots = BotRegistry()
    bots.register("ada")
    with pytest.raises(RegistrationRefused, match="already"):
        bots.register("ada")


def test_a_token_of_a_lane_is_for_that_lane_alone() -> None:
    bots = BotRegistry()
    bots.add("ada")
    tokens = [bots.issue("ada", lane) for lane in range(7)]
    holders = [bots.holder_of(token) for token in tokens]
    assert holders == [Holder("ada", lane) for lane in range(7)]
    assert [Holder("ada", 3).may_play(lane) for lane in (0, 3)] == [False, True]
    assert Holder("ada").may_play(6)


def test_each_lane_has_two_tokens_at_a_time() -> None:
    bots = BotRegistry()
    bots.add("ada")
    bots.issue("ada", 1)
    bots.issue("ada", 1)
    with pytest.raises(RegistrationRefused, match="ada, lane 1, has 2 tokens"):
        bots.issue("ada", 1)
    bots.issue("ada", 2)
