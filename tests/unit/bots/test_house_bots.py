"""The house bots in whole matches on the engine."""

from collections import Counter
from functools import cache
from statistics import mean, stdev

import pytest

import engine
from bots.factory import FACTORIES
from bots.local import LOCAL_FACTORIES, rules_for_bots
from engine.cards import JOKERS
from engine.fallback import by_strength
from engine.presets import preset_names
from engine.shuffle import block_seed
from ohhell.v1 import rules_pb2
from ohhell_bot import Match, Rules, View
from server.rpc.wire import write_rules
from tests.doubles.matches import played, setup

NAMES = tuple(FACTORIES)
SHORT = engine.Rules.of("blackout", {"deal_high": 4})


def test_every_bot_has_a_name_in_both_mappings() -> None:
    assert NAMES == ("random", "lowest", "greedy", "expected-tricks")
    assert tuple(LOCAL_FACTORIES) == NAMES


@pytest.mark.parametrize("preset", preset_names())
def test_every_bot_plays_every_preset_to_its_end(preset: str) -> None:
    rules = engine.Rules.of(preset)
    fewest, most = min(rules.players), max(rules.players)
    for players in {fewest, most}:
        names = [NAMES[seat % len(NAMES)] for seat in range(players)]
        match = played(rules, names, block=players)
        assert match.result is not None
        causes = {entry.cause for entry in match.entries()}
        assert causes <= {engine.Cause.ANSWER, engine.Cause.RULES}


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_plays_the_same_match_again(name: str) -> None:
    first, again = (played(SHORT, [name] * 4, block=1) for _ in range(2))
    assert first.digest() == again.digest()


def test_chance_differs_between_seats_and_blocks() -> None:
    bids = [
        [e.event.bid for e in m.entries() if isinstance(e.event, engine.BidMade)]
        for m in (played(SHORT, ["random"] * 4, block=block) for block in (1, 2))
    ]
    assert bids[0] != bids[1]
    assert len(set(bids[0])) > 1


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_needs_nothing_but_the_prompt(name: str) -> None:
    """Fresh bots, asked in the wrong order, bid what one bot bids in a match."""
    prompts: list[engine.View] = []
    whole = played(
        SHORT, [name] * 4, block=3, watch=lambda _match, _seat, p: prompts.append(p)
    )
    prepared = setup(SHORT, [name] * 4, block_seed(bytes(32), 3, 0))
    answers = [
        LOCAL_FACTORIES[name](prepared, prompt.seat or 0).answer(prompt)
        for prompt in reversed(prompts)
    ]
    bids = [a.bid for a in reversed(answers) if isinstance(a, engine.PlaceBid)]
    assert bids == [
        entry.event.bid
        for entry in whole.entries()
        if isinstance(entry.event, engine.BidMade)
    ]


@pytest.mark.parametrize(
    "preset", ["wizard", "la_podrida", "bust", "blackout_jokers", "jokers_suit"]
)
def test_lowest_is_what_its_description_says(preset: str) -> None:
    rules = engine.Rules.of(preset)
    players = min(rules.players)
    pack = rules.pack_for(players)
    prepared = setup(rules, ["lowest"] * players, bytes(32))

    def check(_match: engine.Match, seat: int, prompt: engine.View) -> None:
        command = LOCAL_FACTORIES["lowest"](prepared, seat).answer(prompt)
        if prompt.legal_bids:
            assert command == engine.PlaceBid(min(prompt.legal_bids))
        if prompt.legal_cards:
            assert isinstance(command, engine.PlayCard)
            assert command.card == by_strength(prompt.legal_cards, pack)[0]
            if prompt.call == engine.CallRule.REQUIRED:
                joker = command.card in JOKERS
                low = engine.JokerCall.LOW
                assert command.call == (low if joker else engine.JokerCall.NONE)

    played(rules, ["lowest"] * players, watch=check)


@pytest.mark.parametrize("preset", preset_names())
def test_unseen_is_what_nobody_shows_in_every_preset(preset: str) -> None:
    """Hidden hands and bid cards of others, and the stock: no more, no less."""
    rules = engine.Rules.of(preset)
    players = min(rules.players)
    bot_rules = rules_for_bots(rules, players)

    def check(match: engine.Match, seat: int, prompt: engine.View) -> None:
        seen = View(prompt, Match(seat=seat, rules=bot_rules, bot_seed=b""))
        unseen = Counter(seen.unseen)
        hidden = Counter(
            [
                card
                for other in range(players)
                if other != seat
                for card in (*match.hands[other], *match.laid[other])
            ]
        )
        hidden.subtract(prompt.shown_cards)
        assert min(hidden.values(), default=0) >= 0
        assert hidden <= unseen
        own = 0 if prompt.hand else len(match.hands[seat])
        dealt = players * (prompt.size + (3 if rules.bid_mode == "bid_cards" else 0))
        stock = len(bot_rules.pack) - dealt - bool(prompt.upcard)
        assert unseen.total() == hidden.total() + own + stock

    played(rules, ["random"] * players, watch=check)


@pytest.mark.parametrize("preset", preset_names())
def test_the_library_knows_the_winner_of_a_trick_in_every_preset(preset: str) -> None:
    rules = engine.Rules.of(preset)
    players = min(rules.players)
    bot_rules = rules_for_bots(rules, players)
    prepared = setup(rules, ["random"] * players, block_seed(bytes(32), 0, 0))
    claimed: dict[int, int] = {}

    def claim(_match: engine.Match, seat: int, prompt: engine.View) -> None:
        seen = View(prompt, Match(seat=seat, rules=bot_rules, bot_seed=bytes(16)))
        if not (prompt.legal_cards and seen.plays_last):
            return
        before = seen.winner_so_far
        assert before is not None
        command = LOCAL_FACTORIES["random"](prepared, seat).answer(prompt)
        assert isinstance(command, engine.PlayCard)
        assert command.card is not None
        wins = seen.wins(command.card, command.call)
        claimed[prompt.seq + 2] = seat if wins else before.seat

    match = played(rules, ["random"] * players, watch=claim)
    assert claimed
    for seq, seat in claimed.items():
        assert match.entry(seq).event == engine.TrickTaken(seat)


def test_rules_in_process_are_those_of_the_wire() -> None:
    for preset in ("pagat_standard", "wizard", "oh_shit", "boerenbridge"):
        rules = engine.Rules.of(preset)
        message = rules_pb2.Rules()
        write_rules(message, rules, 4, preset="")
        local, wired = rules_for_bots(rules, 4), Rules.from_wire(message)
        different = [
            name
            for name in vars(local)
            if name != "parameters" and getattr(local, name) != getattr(wired, name)
        ]
        assert different == []


@cache
def margins(bot: str, others: str) -> tuple[float, float]:
    """Mean and standard error of a bot's lead over three others, in points a match."""
    rules = engine.Rules.of("blackout")
    leads = []
    for game in range(40):
        place = game % 4
        names = [bot if seat == place else others for seat in range(4)]
        result = played(rules, names, block=game // 4).result
        assert result is not None
        own = result.totals[place]
        leads.append(own - (sum(result.totals) - own) / 3)
    return mean(leads), stdev(leads) / len(leads) ** 0.5


@pytest.mark.parametrize("bot", ["greedy", "expected-tricks"])
@pytest.mark.parametrize("others", ["random", "lowest"])
def test_a_bot_that_thinks_beats_those_that_do_not(bot: str, others: str) -> None:
    lead, error = margins(bot, others)
    assert lead > 30
    assert lead > 8 * error
