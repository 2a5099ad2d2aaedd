"""Matches under any rules: nothing lost, nothing leaked, everything on record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from hypothesis import assume, event, given
from hypothesis import strategies as st

from engine.bidding import Claim
from engine.cards import card_suit
from engine.codec import decode, encode
from engine.errors import Refusal
from engine.events import DealScored, Entry
from engine.legality import CallRule
from engine.match import Match
from engine.phase import Phase
from engine.presets import preset_names, preset_parameters
from engine.record import match_of, parse_record, print_record, record_of, record_text
from engine.replay import replay
from engine.rules import Rules
from engine.shuffle import SeededDecks
from engine.trick import JokerCall
from engine.view import View, moving, project, view
from engine.visibility import REFEREE, SPECTATOR, Viewer
from tournament.leads import widest_lead

# What may be turned on or off in most games; combinations that are illegal are skipped.
SWITCHES: dict[str, Sequence[object]] = {
    "hook": [True, False],
    "bid_mode": ["turn", "simultaneous"],
    "bid_amend": ["none", "until_next_bid"],
    "last_bid_amend": ["none", "until_first_lead"],
    "must_trump": [True, False],
    "must_overtrump": [True, False],
    "must_head": [True, False],
    "first_leader": ["eldest", "dealer"],
    "no_bid_at_score": [None, 1, 11],
    "forehead": ["none", "all_one_card"],
    "full_pack_trump": ["none", "dealer_last_card"],
    "trump_method": ["turn_up", "rotation", "none"],
    "trump_sequence": [["H", "NT", "C"]],
    "joker_opposite_scope": ["deal", "trick"],
    "duplicate_winner": ["last", "first"],
    "tie_policy": ["shared", "extra_max_deals"],
}

# Presets with a mechanism that few others have, for every second match.
RARE = (
    *("ninety_nine", "ninety_nine", "wizard", "blackout_jokers", "jokers_suit"),
    *("bust", "la_pocha", "boerenbridge"),
)

# Deals that hide something, for most matches: few would come up by themselves.
SPECIALS: Sequence[dict[str, object]] = (
    {"deal_kinds": {"1": "blind", "2": "guess_trump"}},
    {"deal_kinds": {"1": "guess_trump", "2": "blind_in_order"}},
    {"deal_kinds": {"1": "blind_in_order", "2": "misere_trump", "3": "blind"}},
    {"deal_list": [1, 1], "forehead": "all_one_card"},
    {"deal_list": [1], "forehead": "all_one_card", "deal_kinds": {"1": "blind"}},
    {"bid_mode": "simultaneous", "hook": False},
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Rules, int]:
    """Rules for a short match, and the number of players."""
    preset = draw(st.sampled_from(preset_names()) | st.sampled_from(RARE))
    players = draw(st.sampled_from(Rules.of(preset).players))
    pack = Rules.of(preset).pack_for(players).size
    laid = 3 if preset_parameters(preset)["bid_mode"] == "bid_cards" else 0
    largest = pack // players - laid
    sizes = draw(st.lists(st.integers(1, min(largest, 5)), min_size=1, max_size=3))
    if draw(st.integers(0, 9)) == 0:
        sizes[-1] = largest
    overrides: dict[str, object] = {
        "deal_shape": "list",
        "deal_list": sizes,
        "deal_kinds": None,
        "forehead": "none",
        "max_deals": 4,
    }
    switched = st.fixed_dictionaries(
        {}, optional={name: st.sampled_from(v) for name, v in SWITCHES.items()}
    )
    special = draw(st.sampled_from([*SPECIALS, {}, {}, {}]))
    rules = Rules.of(preset, overrides)
    changes = [special, *[{name: value} for name, value in draw(switched).items()]]
    for change in changes:
        changed = rules.with_overrides(change)
        if not changed.validate(players):
            rules = changed
    assume(not rules.validate(players))
    return rules, players


class Sent(NamedTuple):
    """A command that was accepted, so that it can be sent again."""

    name: str
    seat: int
    value: object
    extra: object = None


def send(match: Match, command: Sent) -> None:
    name, seat, value, extra = command
    match name, value:
        case "bid", _:
            match.bid(seat, value)
        case "play", None:
            match.play(seat, None, extra)
        case "play", int(card):
            match.play(seat, card, extra)
        case "trump", _:
            match.choose_trump(seat, value)
        case "lay", tuple(cards):
            match.lay(seat, cards, extra)
        case _:
            raise AssertionError(command)


def chosen(match: Match, seen: View, rng: Random) -> Sent:
    """A command that the seat's own view says is legal."""
    assert seen.seat is not None
    seat = seen.seat
    if seen.legal_bids:
        return Sent("bid", seat, rng.choice(seen.legal_bids))
    if seen.legal_suits:
        return Sent("trump", seat, rng.choice(seen.legal_suits))
    if seen.phase == Phase.BIDDING:
        laid = tuple(rng.sample(seen.hand, 3))
        return Sent("lay", seat, laid, rng.choice([*Claim]))
    card = rng.choice(seen.legal_cards) if seen.legal_cards else None
    joker = card is None or card_suit(card) == 5
    called = seen.call == CallRule.REQUIRED and joker
    call = rng.choice([JokerCall.HIGH, JokerCall.LOW]) if called else None
    return Sent("play", seat, card, call)


def started(table: tuple[Rules, int], seed: int, first_dealer: int = 0) -> Match:
    rules, players = table
    decks = SeededDecks(seed.to_bytes(32), rules, players)
    match = Match(rules, players, first_dealer=first_dealer % players, decks=decks)
    match.start()
    return match


def step(match: Match, rng: Random) -> Sent:
    seat = rng.choice(match.to_act())
    for other in range(match.players):
        amounts = view(match, other).amend_bids
        if amounts and rng.random() < 0.2:
            command = Sent("bid", other, rng.choice(amounts))
            send(match, command)
            return command
    command = chosen(match, view(match, seat), rng)
    send(match, command)
    return command


seeds = st.integers(0, 2**64)


def cards_conserved(match: Match) -> None:
    """Hands, cards laid and played, and what lies undealt are the pack."""
    deck = decks_of(match)(match.deal_no)
    dealt = sum(map(len, match.hands)) + sum(map(len, match.laid)) + len(match.plays)
    held = Counter(card for hand in (*match.hands, *match.laid) for card in hand)
    held.update(match.plays)
    assert held == Counter(deck[:dealt])
    pack = match.shared.pack
    for seat, hand in enumerate(match.hands):
        assert pack.hand(hand) == (match.deal.held[seat], match.deal.twice[seat])


def decks_of(match: Match) -> SeededDecks:
    decks = match._decks
    assert isinstance(decks, SeededDecks)
    return decks


@given(tables(), seeds, seeds)
def test_a_match_ends_with_every_card_and_trick_accounted_for(
    table: tuple[Rules, int], seed: int, choices: int
) -> None:
    rng = Random(choices)  # noqa: S311 - choices in a test
    match = started(table, seed, first_dealer=choices % 7)
    while match.phase is not Phase.OVER:
        cards_conserved(match)
        assert match.to_act()
        for seat in match.to_act():
            if match.phase is Phase.PLAYING:
                assert match.legal_cards(seat)
        step(match, rng)
    scored = [e.event for e in match.entries() if isinstance(e.event, DealScored)]
    assert len(scored) == match.deal_no
    for number, deal in enumerate(scored, start=1):
        assert sum(deal.tricks) == match.plan.size(number)
    assert scored[-1].scores == match.scores
    event(f"{table[0].bid_mode.value}, jokers {table[0].joker_mode.value}")


def played_out(table: tuple[Rules, int], seed: int, choices: int) -> Match:
    rng = Random(choices)  # noqa: S311 - choices in a test
    match = started(table, seed)
    while match.phase is not Phase.OVER:
        step(match, rng)
    return match


@given(tables(), seeds, seeds)
def test_nobody_is_further_ahead_than_the_rules_allow(
    table: tuple[Rules, int], seed: int, choices: int
) -> None:
    match = played_out(table, seed, choices)
    lead = (max(match.scores) - min(match.scores)) / match.deal_no
    widest = widest_lead(*table)
    assert lead <= widest * (1 + 1e-12)
    event(f"{10 * lead // widest * 10:g} % of what is possible")


@given(tables(), seeds, seeds)
def test_what_is_not_offered_is_refused_and_changes_nothing(
    table: tuple[Rules, int], seed: int, choices: int
) -> None:
    rng = Random(choices)  # noqa: S311 - choices in a test
    match = started(table, seed)
    for _ in range(rng.randrange(30)):
        if match.phase is Phase.OVER:
            return
        step(match, rng)
    if match.phase is Phase.OVER:
        return
    before = match.digest()
    for seat in range(-1, match.players + 1):
        for command in not_offered(match, seat, rng):
            try:
                send(match, command)
            except Refusal as refusal:
                assert refusal.message  # noqa: PT017 - every command must be refused
            else:
                raise AssertionError(f"accepted: {command}")
            assert match.digest() == before


def not_offered(match: Match, seat: int, rng: Random) -> list[Sent]:
    there = 0 <= seat < match.players
    seen = view(match, seat) if there else None
    bids = {*seen.legal_bids, *seen.amend_bids} if seen else set()
    cards = {*seen.legal_cards} if seen else set()
    hidden = seen is not None and seen.ask == 2 and not seen.legal_cards
    suits = {*seen.legal_suits} if seen else set()
    lays = seen is not None and seen.ask == 4
    found = [Sent("bid", seat, b) for b in range(-1, match.size + 2) if b not in bids]
    found += [Sent("bid", seat, b) for b in (None, "1", True, 0.0)]
    found += [
        Sent("play", seat, c) for c in rng.sample(range(80), 20) if c not in cards
    ]
    if not hidden:
        found.append(Sent("play", seat, None))
    found += [Sent("trump", seat, s) for s in range(-1, 8) if s not in suits]
    if not lays:
        found.append(Sent("lay", seat, tuple(match.hands[seat][:3] if there else ())))
    return found


@given(tables(), seeds, seeds)
def test_the_log_rebuilds_the_match_wherever_it_stops(
    table: tuple[Rules, int], seed: int, choices: int
) -> None:
    rng = Random(choices)  # noqa: S311 - choices in a test
    match = started(table, seed)
    for _ in range(rng.randrange(80)):
        if match.phase is not Phase.OVER:
            step(match, rng)
    rules, players = table
    again = replay(
        rules,
        players,
        first_dealer=match.first_dealer,
        entries=match.entries(),
        decks=decks_of(match),
    )
    again.restore_sealed(match.sealed_bids())
    assert again.digest() == match.digest()
    for viewer in (*range(players), SPECTATOR, REFEREE):
        assert view(again, viewer) == view(match, viewer)


@given(tables(), seeds, seeds)
def test_a_record_is_the_same_after_printing_and_parsing(
    table: tuple[Rules, int], seed: int, choices: int
) -> None:
    match = played_out(table, seed, choices)
    names = [f"player {seat}" for seat in range(match.players)]
    text = record_text(match, names)
    record = parse_record(text)
    assert record == record_of(match, names)
    assert print_record(record) == text
    assert match_of(record).digest() == match.digest()
    for entry in match.entries():
        data = encode(entry.cause, entry.event)
        assert Entry(entry.seq, *decode(data)) == entry


@given(tables(), seeds, seeds)
def test_the_short_way_to_a_view_comes_to_the_same_as_the_long_one(
    table: tuple[Rules, int], seed: int, choices: int
) -> None:
    rng = Random(choices)  # noqa: S311 - choices in a test
    match = started(table, seed)
    while match.phase is not Phase.OVER:
        seats = range(match.players)
        views = [view(match, seat) for seat in seats]
        moved = [moving(match, seat) for seat in seats]
        hides_only_hands = match.hides_only_hands
        match.hides_only_hands = False
        assert views == [view(match, seat) for seat in seats]
        match.hides_only_hands = hides_only_hands
        for seen, part in zip(views, moved, strict=True):
            if part is not None:
                for name, value in part._asdict().items():
                    known = getattr(seen, name)
                    assert value == (known if isinstance(known, int) else bytes(known))
        step(match, rng)


@given(tables(), seeds, seeds)
def test_what_does_not_move_in_a_prompt_is_the_same_until_the_deal_is_over(
    table: tuple[Rules, int], seed: int, choices: int
) -> None:
    rng = Random(choices)  # noqa: S311 - choices in a test
    match = started(table, seed)
    stayed: dict[tuple[int, int], dict[str, object]] = {}
    while match.phase is not Phase.OVER:
        for seat in match.to_act():
            part = moving(match, seat)
            if part is None:
                continue
            seen = view(match, seat)._asdict().items()
            rest = {name: value for name, value in seen if name not in part._fields}
            assert stayed.setdefault((match.deal_no, seat), rest) == rest
        step(match, rng)


def known_to(viewer: Viewer, match: Match) -> set[int]:
    """Cards whose place in this deal the viewer may know, said without `view`."""
    bids_in = match.phase in (Phase.PLAYING, Phase.OVER)
    known = {*match.plays, match.decision.shown or 0}
    if bids_in or match.kind not in ("guess_trump", "blind", "blind_in_order"):
        known.add(match.decision.upcard or 0)
    premium = match.premium.seat if match.premium else None
    for seat in range(match.players):
        own = seat == viewer
        blind = match.kind in ("blind", "blind_in_order") and not bids_in
        other_forehead = match.forehead and not own and viewer is not SPECTATOR
        if not blind and (other_forehead or (own and not match.forehead)):
            known |= {*match.hands[seat]}
        if own or seat == premium:
            known |= {*match.laid[seat]}
        if seat == premium and match.claims[seat] is Claim.REVEAL:
            known |= {*match.hands[seat]}
    return known


@given(tables(), seeds, seeds, st.data())
def test_no_view_depends_on_cards_or_bids_that_the_viewer_may_not_know(
    table: tuple[Rules, int], seed: int, choices: int, data: st.DataObject
) -> None:
    rng = Random(choices)  # noqa: S311 - choices in a test
    match = started(table, seed)
    steps = range(rng.randrange(rng.choice([5, 12, 40])))
    sent = [step(match, rng) for _ in steps if match.phase is not Phase.OVER]
    viewer = data.draw(st.sampled_from([*range(match.players), SPECTATOR]))
    seen = view(match, viewer)
    known = known_to(viewer, match)
    unseen = sorted({*match.shared.pack.codes()} - known)
    # A card that a view could give away: one that is held, laid aside or turned up.
    own = match.hands[viewer] if isinstance(viewer, int) else []
    near = {card for hand in (*match.hands, *match.laid) for card in hand}
    upcard = [match.decision.upcard or 0]
    pools = [sorted({*pool} & {*unseen}) for pool in (own, near, upcard, unseen)]
    assume(unseen)
    one = data.draw(
        st.sampled_from(data.draw(st.sampled_from([p for p in pools if p])))
    )
    # A card of the same suit for it keeps every play so far as legal as it was.
    copies = Counter(match.shared.pack.codes())
    others = [c for c in unseen if c != one and copies[c] == copies[one]]
    if match.plays:
        others = [card for card in others if card_suit(card) == card_suit(one)]
    assume(others)
    other = data.draw(st.sampled_from(others))
    swap = {one: other, other: one}

    deal = match.deal_no
    decks = decks_of(match)

    def swapped(number: int) -> list[int]:
        deck = decks(number)
        return [swap.get(c, c) for c in deck] if number == deal else [*deck]

    rules, players = table
    twin = Match(rules, players, first_dealer=match.first_dealer, decks=swapped)
    twin.start()
    try:
        for command in sent:
            send(twin, in_the_other_world(twin, command, swap, deal))
    except Refusal:
        # Duties beyond following suit may forbid a play of the other world.
        assume(False)
    assume(twin.seq == match.seq)
    assert view(twin, viewer) == seen
    for mine, yours in zip(match.entries(), twin.entries(), strict=True):
        assert project(mine, viewer) == project(yours, viewer)
    event("playing" if match.plays else "before the first card")


def in_the_other_world(
    twin: Match, command: Sent, swap: dict[int, int], deal: int
) -> Sent:
    """The same cards by place: what was laid face down is another card there."""
    if command.name == "lay" and twin.deal_no == deal:
        assert isinstance(command.value, tuple)
        laid = tuple([swap.get(card, card) for card in command.value])
        return command._replace(value=laid)
    return command


@given(tables(), seeds, seeds)
def test_secret_bids_of_others_cannot_be_seen_before_they_are_open(
    table: tuple[Rules, int], seed: int, choices: int
) -> None:
    rules, players = table
    rules = rules.with_overrides({"bid_mode": "simultaneous", "hook": False})
    assume(not rules.validate(players))
    first, second = started((rules, players), seed), started((rules, players), seed)
    assume(first.phase is Phase.BIDDING)
    rng = Random(choices)  # noqa: S311 - choices in a test
    viewer, *others = rng.sample(first.to_act(), len(first.to_act()))
    for match in (first, second):
        match.bid(viewer, 0)
        for seat in others[:-1]:
            match.bid(seat, rng.randint(0, match.size))
    if not others:
        return
    assert view(first, viewer) == view(second, viewer)
    assert view(first, SPECTATOR) == view(second, SPECTATOR)
    assert first.entries() == second.entries()
