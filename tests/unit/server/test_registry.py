"""Who may connect, with what, and for how long."""

import pytest

from server.registry import (
    BOT_SCOPES,
    DISABLED,
    REVOKED,
    BotRegistry,
    Holder,
    RegistrationRefused,
    Scope,
)
from server.tokens import secret_hash


class Time:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_a_token_is_told_once_and_kept_as_a_hash() -> None:
    bots = BotRegistry()
    token = bots.register("ada")
    assert token.startswith("ohb_")
    assert bots.holder_of(token) == Holder("ada", None, BOT_SCOPES, secret_hash(token))
    registered = bots.get("ada")
    assert registered is not None
    assert token not in repr(registered)


def test_a_wrong_token_is_nobodys() -> None:
    bots = BotRegistry()
    token = bots.register("ada")
    for wrong in (token + "x", token[:-1], "", "\udc80"):
        assert bots.holder_of(wrong) is None


def test_two_tokens_are_valid_at_a_time_and_each_can_be_revoked() -> None:
    bots = BotRegistry()
    first = bots.register("ada")
    second = bots.issue("ada")
    with pytest.raises(RegistrationRefused, match="revoke one first"):
        bots.issue("ada")
    bots.revoke("ada", first[:12])
    assert bots.holder_of(first) is None
    assert bots.holder_of(second) is not None
    with pytest.raises(RegistrationRefused, match="no token that begins with"):
        bots.revoke("ada", first[:12])


def test_an_expired_token_is_not_valid_and_makes_room() -> None:
    time = Time()
    bots = BotRegistry(now=time)
    bots.register("ada")
    token = bots.issue("ada", valid_for=60)
    time.now += 59
    assert bots.holder_of(token) is not None
    time.now += 1
    assert bots.holder_of(token) is None
    assert bots.holder_of(bots.issue("ada")) is not None


def test_a_token_in_place_of_others_leaves_those_of_other_lanes() -> None:
    bots = BotRegistry()
    first, of_lane = bots.register("ada"), bots.issue("ada", 1)
    second = bots.issue("ada", replace=True)
    valid = [bots.holder_of(token) is not None for token in (first, of_lane, second)]
    assert valid == [False, True, True]


@pytest.mark.parametrize("name", ["", "-a", "a b", "\u00e4", "x" * 64, "a/b", "\u0430"])
def test_names_are_ascii_letters_digits_and_hyphens(name: str) -> None:
    with pytest.raises(RegistrationRefused, match="is no name"):
        BotRegistry().register(name)


@pytest.mark.parametrize(
    "name",
    ["x" * 33, "e\u0301", " a", "a ", " ", "a\nb", "\u202eb", "a\u200db", "\ud800"],
)
def test_names_for_people_are_short_composed_and_printable(name: str) -> None:
    with pytest.raises(RegistrationRefused, match="no name to show"):
        BotRegistry().register("ada", display_name=name)


def test_a_name_is_registered_once_in_whatever_case() -> None:
    bots = BotRegistry()
    bots.register("ada")
    with pytest.raises(RegistrationRefused, match="already"):
        bots.register("ada")
    with pytest.raises(RegistrationRefused, match="mistaken for ada"):
        bots.register("Ada")
    with pytest.raises(RegistrationRefused, match="without a token"):
        bots.register("Guest")


def test_a_token_of_a_lane_is_for_that_lane_alone() -> None:
    bots = BotRegistry()
    bots.add("ada")
    tokens = [bots.issue("ada", lane) for lane in range(7)]
    holders = [bots.holder_of(token) for token in tokens]
    assert [holder and holder.lane for holder in holders] == list(range(7))
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


def held(bots: BotRegistry, token: str) -> Holder:
    holder = bots.holder_of(token)
    assert holder is not None
    return holder


def test_a_lease_ends_with_its_token_and_no_other() -> None:
    time = Time()
    bots = BotRegistry(now=time)
    ended: list[str] = []
    first = bots.register("ada")
    second = bots.issue("ada", valid_for=10)
    with (
        bots.lease(held(bots, first), lambda why: ended.append(f"first {why}")),
        bots.lease(held(bots, second), lambda why: ended.append(f"second {why}")),
    ):
        bots.expire()
        assert ended == []
        time.now += 10
        bots.expire()
        assert ended == [f"second {REVOKED}"]
        bots.revoke("ada", first[:12])
        assert ended[1:] == [f"first {REVOKED}"]
    bots.expire()
    assert len(ended) == 2


def test_a_disabled_bot_loses_its_leases_and_is_let_in_again_later() -> None:
    bots = BotRegistry()
    token = bots.register("ada")
    ended: list[str] = []
    with bots.lease(held(bots, token), ended.append):
        bots.set_enabled("ada", enabled=False)
    assert ended == [DISABLED]
    assert not bots.is_enabled("ada")
    bots.set_enabled("ada", enabled=True)
    assert bots.is_enabled("ada")
    assert held(bots, token).bot == "ada"


def test_a_lease_taken_too_late_ends_at_once() -> None:
    bots = BotRegistry()
    token = bots.register("ada")
    holder = held(bots, token)
    bots.revoke("ada", token[:12])
    ended: list[str] = []
    with bots.lease(holder, ended.append):
        assert ended == [REVOKED]


def test_who_needs_no_token_loses_none() -> None:
    bots = BotRegistry()
    ended: list[str] = []
    with bots.lease(Holder("guest"), ended.append):
        bots.expire()
    assert ended == []


def test_bots_are_listed_by_name_page_by_page() -> None:
    bots = BotRegistry()
    for name in ("b", "c", "a"):
        bots.add(name)
    assert [bot.name for bot in bots.page("", 2)] == ["a", "b"]
    assert [bot.name for bot in bots.page("b", 2)] == ["c"]


@pytest.mark.parametrize("scope", Scope)
def test_a_token_allows_what_it_was_issued_for(scope: Scope) -> None:
    bots = BotRegistry()
    assert held(bots, bots.register("ada", scopes={scope})).scopes == {scope}


def used_at(bots: BotRegistry, token: str) -> int | None:
    (bot,) = bots.all()
    return bot.tokens[secret_hash(token)].last_used_at


def test_when_a_token_was_used_is_noted_now_and_then_and_while_it_is_in_use() -> None:
    time = Time()
    bots = BotRegistry(now=time)
    token = bots.register("ada")
    bots.keep_uses()
    assert used_at(bots, token) is None
    assert bots.holder_of(token + "x") is None
    bots.keep_uses()
    assert used_at(bots, token) is None
    holder = bots.holder_of(token)
    assert holder is not None
    assert used_at(bots, token) is None
    bots.keep_uses()
    assert used_at(bots, token) == 1_000
    time.now += 60
    bots.keep_uses()
    assert used_at(bots, token) == 1_000
    with bots.lease(holder, lambda _why: None):
        time.now += 60
        bots.keep_uses()
        assert used_at(bots, token) == 1_120
    # What is gone by then is not there any more.
    assert bots.holder_of(token) is not None
    bots.issue("ada", replace=True)
    bots.keep_uses()
    assert used_at(bots, bots.issue("ada")) is None
