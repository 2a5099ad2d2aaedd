"""Playing in the terminal: every preset to its end, mistakes included."""

from __future__ import annotations

import pytest

from cli.play.faces import Faces
from cli.play.session import Left, Session
from cli.rules.naming import chosen
from cli.seating import HouseTable
from engine.cards import card_text
from engine.phase import Phase
from engine.presets import preset_names
from engine.shuffle import block_seed
from tests.doubles.person import WIDTH, Person, width


class Terminal:
    """Keeps what is said; a person types."""

    def __init__(self, person: Person | None, typed: list[str] | None = None) -> None:
        self.lines: list[str] = []
        self._person = person
        self._typed = typed or []
        self._read = 0

    def say(self, line: str) -> None:
        self.lines.append(line)

    def ask(self, prompt: str) -> str:
        if self._person is None:
            if not self._typed:
                raise EOFError
            line = self._typed.pop(0)
        else:
            line = self._person.answer("\n".join(self.lines), prompt)
        self.lines.append(f"{prompt}")
        return line

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def session_of(
    preset: str,
    terminal: Terminal,
    *,
    settings: tuple[str, ...] = (),
    players: int | None = None,
    seat: int = 1,
    plain: bool = False,
    block: int = 0,
) -> Session:
    choice = chosen(preset, settings, players)
    bots = {s: "lowest" for s in range(choice.players) if s != seat}
    names = [f"lowest {s}" for s in range(choice.players)]
    names[seat] = "You"
    table = HouseTable(choice.rules, names, bots, seed=block_seed(bytes(32), block, 0))
    return Session(
        choice, table, seat, names=names, faces=Faces(plain=plain), terminal=terminal
    )


@pytest.mark.parametrize("preset", preset_names())
def test_every_preset_can_be_played_by_what_is_printed(preset: str) -> None:
    person = Person(seed=len(preset))
    terminal = Terminal(person)
    # Nobody hits 100 exactly by playing at random.
    shorter = ("max_deals=6",) if preset == "boerenbridge" else ()
    session = session_of(preset, terminal, settings=shorter)
    session.play()
    assert session._match.phase is Phase.OVER
    assert "The match is over" in terminal.text
    assert person.rejected
    assert [line for line in terminal.lines if width(line) > WIDTH] == []


def test_leaving_at_a_prompt_ends_the_session() -> None:
    for typed in (["quit"], ["?", "rules", "q"], []):
        terminal = Terminal(None, list(typed))
        with pytest.raises(Left):
            session_of("pagat_standard", terminal).play()
        assert "The match is over" not in terminal.text


def test_mistakes_are_explained_by_the_engine_and_asked_again() -> None:
    typed = ["11", "five", "KH", "0", "", "KH high"]
    terminal = Terminal(None, typed)
    with pytest.raises(Left):
        session_of("pagat_standard", terminal, plain=True).play()
    assert (
        "11 is no bid: whole numbers from 0 to 10 (bid out of range)" in terminal.text
    )
    assert "'five' is no bid: type a whole number, or ? for help" in terminal.text
    assert terminal.text.count("Your bid (") == 4


def test_a_bid_can_be_changed_right_after_it_was_made() -> None:
    terminal = Terminal(None, ["1", "99", "2", "bid 3", ""])
    with pytest.raises(Left):
        session_of("pagat_standard", terminal, players=3).play()
    for line in ("You bid 1", "You change the bid to 2", "You change the bid to 3"):
        assert line in terminal.lines
    final = Terminal(None, ["1", ""])
    with pytest.raises(Left):
        session_of("simple_standard", final).play()
    assert "Enter keeps" not in final.text


def test_the_last_bid_can_be_changed_where_the_rules_say_so() -> None:
    settings = ("last_bid_amend=until_first_lead", "first_dealer=seat:1")
    terminal = Terminal(None, ["1", "", "0"])
    with pytest.raises(Left):
        session_of("no_hook", terminal, settings=settings).play()
    assert "Enter keeps your bid of 1" in terminal.text


def test_a_secret_bid_can_be_changed_until_the_last_one_is_in() -> None:
    terminal = Terminal(None, ["1", "2", ""])
    with pytest.raises(Left):
        session_of("simultaneous", terminal, seat=0).play()
    assert "Enter keeps your bid of 2" in terminal.text
    assert "The bids: You 2, " in terminal.text


def test_letters_stand_for_suits_where_symbols_cannot_be_shown() -> None:
    terminal = Terminal(Person(seed=3))
    session_of("clag_short", terminal, plain=True, players=3).play()
    assert terminal.text.isascii()
    assert "rules" in terminal.text


def test_the_own_card_is_not_printed_while_it_lies_on_the_forehead() -> None:
    terminal = Terminal(None, ["0", "0", "0"])
    session = session_of(
        "devils_bridge",
        terminal,
        settings=("deal_shape=fixed", "deal_count=1", "deal_high=1"),
        seat=0,
    )
    with pytest.raises(Left):
        session.play()
    own = card_text(session._match.hands[0][0])
    others = [card_text(hand[0]) for hand in session._match.hands[1:] if hand]
    text = terminal.text.translate(str.maketrans("♣♦♥♠", "CDHS"))
    assert own not in text
    assert all(other in text for other in others)
    assert "a card that you may not see" in text


def test_a_blind_hand_is_printed_only_when_all_bids_are_in() -> None:
    terminal = Terminal(None, ["?"])
    session = session_of(
        "clag_short",
        terminal,
        settings=("deal_shape=fixed", "deal_count=1", 'deal_kinds={"1": "blind"}'),
        seat=0,
    )
    with pytest.raises(Left):
        session.play()
    assert "Your hand: hidden until all bids are in" in terminal.text
    shown = terminal.text.translate(str.maketrans("♣♦♥♠", "CDHS"))
    assert not any(card_text(card) in shown for card in session._match.hands[0])
