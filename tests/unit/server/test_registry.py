"""Who may connect."""

import pytest

from server.registry import BotRegistry, RegistrationRefused


def test_a_token_is_told_once_and_kept_as_a_hash() -> None:
    bots = BotRegistry()
    token = bots.register("ada")
    assert token.startswith("ohb_")
    assert bots.bot_of(token) == "ada"
    registered = bots.get("ada")
    assert registered is not None
    assert token not in repr(registered)


def test_a_disabled_bot_and_a_wrong_token_do_not_get_in() -> None:
    bots = BotRegistry()
    token = bots.register("ada")
    assert bots.bot_of(token + "x") is None
    registered = bots.get("ada")
    assert registered is not None
    registered.enabled = False
    assert bots.bot_of(token) is None


def test_two_tokens_are_valid_at_a_time_and_each_can_be_revoked() -> None:
    bots = BotRegistry()
    first = bots.register("ada")
    second = bots.issue("ada")
    with pytest.raises(RegistrationRefused, match="revoke one first"):
        bots.issue("ada")
    bots.revoke("ada", first[:12])
    assert (bots.bot_of(first), bots.bot_of(second)) == (None, "ada")


@pytest.mark.parametrize("name", ["", "-a", "a b", "ä", "x" * 64])
def test_names_are_ascii_letters_digits_and_hyphens(name: str) -> None:
    with pytest.raises(RegistrationRefused, match="is no name"):
        BotRegistry().register(name)


def test_a_name_is_registered_once() -> None:
    bots = BotRegistry()
    bots.register("ada")
    with pytest.raises(RegistrationRefused, match="already"):
        bots.register("ada")
