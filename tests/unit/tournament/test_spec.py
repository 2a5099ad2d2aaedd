"""Specs: what is read, what is refused, and that every mistake is named at once."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from server.address import Address
from tournament.launcher import Confinement, Limits
from tournament.spec import (
    Command,
    Dialled,
    Duplicate,
    House,
    IllegalSpec,
    Protocol,
    Spec,
    parse_spec,
    read_spec,
    starter_spec,
    stored_spec,
)

HOUSE = ("random", "lowest", "greedy", "expected-tricks")
FILE = Path("my.toml")
BOTS = "".join(f'[[bots]]\nhouse = "{name}"\n' for name in HOUSE)


def parse(text: str) -> Spec:
    return parse_spec(text, file=FILE, house_bots=HOUSE)


def mistakes(text: str) -> list[str]:
    with pytest.raises(IllegalSpec) as caught:
        parse(text)
    return [str(mistake) for mistake in caught.value.mistakes]


def test_a_short_spec_gets_the_usual_values() -> None:
    spec = parse('name = "a"\n' + BOTS)
    assert (spec.seats, spec.preset, spec.seed) == (4, "pagat_standard", None)
    assert (spec.blocks, spec.lookahead, spec.concurrency) == (60, 32, 16)
    assert (spec.time.per_decision_ms, spec.time.bank_ms) == (1000, 10_000)
    assert spec.names == HOUSE
    assert all(entrant.trusted for entrant in spec.entrants)


def test_no_bid_can_be_taken_back_in_a_tournament() -> None:
    assert parse('name = "a"\n' + BOTS).rules.parameters()["bid_amend"] == "none"


def test_a_bot_with_a_command_is_not_trusted_unless_the_spec_says_so() -> None:
    text = (
        'name = "a"\n' + BOTS + '[[bots]]\nname = "x"\ncommand = ["python", "x.py"]\n'
    )
    assert parse(text).entrants[-1].trusted is False
    assert parse(text + "trusted = true\n").entrants[-1].trusted is True


def test_a_command_speaks_grpc_unless_the_spec_says_otherwise() -> None:
    text = 'name = "a"\n' + BOTS + '[[bots]]\nname = "x"\ncommand = ["cat"]\n'
    quiet, loud = parse(text), parse(text + 'protocol = "grpc"\n')
    lines = parse(text + 'protocol = "stdio"\n')
    assert quiet.expanded == loud.expanded
    assert lines.expanded != loud.expanded
    assert lines.entrants[-1].source == Command(("cat",), (), Protocol.STDIO)
    assert stored_spec(lines.expanded, file=FILE).entrants == lines.entrants


def test_a_protocol_is_a_known_one_of_a_command() -> None:
    text = 'name = "a"\n' + BOTS + '[[bots]]\nname = "x"\n'
    assert mistakes(text + 'command = ["cat"]\nprotocol = "stdoi"\n') == [
        'bots #5 (x).protocol: "stdoi" is not a protocol; did you mean "stdio"?'
    ]
    assert mistakes(
        text + 'address = "127.0.0.1:5"\ntrusted = true\nprotocol = "stdio"\n'
    ) == ["bots #5 (x).protocol: is for bots with a command; remove it"]


def test_calls_are_encrypted_where_the_spec_says_so() -> None:
    called = '[[bots]]\nname = "x"\naddress = "127.0.0.1:1"\ntrusted = true\n'
    text = f'name = "a"\n{BOTS}{called}'
    at = (Address("127.0.0.1", 1),)
    by_machine = parse(text + "tls = true\n")
    assert by_machine.entrants[-1].source == Dialled(at, tls=True)
    by_file = stored_spec(
        by_machine.expanded.replace("tls = true", 'ca_file = "ca.pem"'), file=FILE
    )
    assert by_file.entrants[-1].source == Dialled(at, tls=True, ca_file="ca.pem")
    for spec in (by_machine, by_file):
        assert stored_spec(spec.expanded, file=FILE).entrants == spec.entrants
    no_file = mistakes(text + 'ca_file = "none.pem"\n')
    assert len(no_file) == 1
    assert "holds no certificate" in no_file[0]
    assert mistakes(f'name = "a"\n{BOTS}tls = true\n') == [
        "bots #4 (expected-tricks).tls: is for bots that are called; remove it"
    ]


def test_a_bot_that_is_called_has_an_address_for_each_of_its_lanes() -> None:
    four = [f"127.0.0.1:{port}" for port in range(1, 5)]
    spec = parse(
        f'name = "a"\n{BOTS}[[bots]]\nname = "x"\naddresses = {four}\n'
        '[[bots]]\nname = "y"\naddress = "[::1]:5"\ntrusted = true\n'
    )
    x, y = spec.entrants[-2:]
    assert x.source == Dialled(tuple(Address("127.0.0.1", p) for p in range(1, 5)))
    assert y.source == Dialled((Address("::1", 5),))
    assert stored_spec(spec.expanded, file=FILE).entrants == spec.entrants


def test_a_bot_with_fewer_lanes_than_seats_gets_deals_of_their_own() -> None:
    few = '[[bots]]\nname = "x"\naddresses = ["a:1", "a:2"]\n'
    spec = parse('name = "a"\n' + BOTS + few)
    assert spec.duplicate is Duplicate.OFF
    assert spec.entrants[-1].lanes == 2
    assert 'duplicate = "off"' in spec.expanded
    assert stored_spec(spec.expanded, file=FILE) == spec
    one = '[[bots]]\nname = "x"\ncommand = ["python"]\nlanes = 1\n'
    assert parse('name = "a"\n' + BOTS + one).duplicate is Duplicate.OFF
    assert parse('name = "a"\n' + BOTS).duplicate is Duplicate.ON
    off = parse('name = "a"\nduplicate = "off"\n' + BOTS)
    assert off.duplicate is Duplicate.OFF
    assert off.digest != parse('name = "a"\n' + BOTS).digest


@pytest.mark.parametrize("word", ["Oh Hell", "contract-whist", "PAGAT standard"])
def test_a_preset_is_found_in_any_spelling_and_written_in_one(word: str) -> None:
    spec = parse(f'name = "a"\n[rules]\npreset = "{word}"\n{BOTS}')
    assert spec.preset == "pagat_standard"
    assert 'preset = "pagat_standard"' in spec.expanded


def test_the_expanded_spec_reads_back_as_the_same_spec() -> None:
    spec = parse(
        'name = "a"\nseed = 3\nconcurrency = 2\n'
        "[rules.overrides]\nhook = false\ndeal_high = {4 = 5}\n"
        + BOTS
        + '[[bots]]\nname = "x"\ncommand = ["python", "x \\"y\\".py", "\\u007f"]\n'
        'env = {A = "1"}\n'
    )
    again = stored_spec(spec.expanded, file=FILE)
    assert again.expanded == spec.expanded
    assert again.rules == spec.rules
    assert again.entrants == spec.entrants


CONFINED = """
[confinement]
memory_mb = 512
open_files = 64
file_mb = 8
"""


def test_confinement_is_part_of_the_spec_and_reads_back() -> None:
    spec = parse('name = "a"\n' + CONFINED + BOTS)
    assert spec.confinement == Confinement(
        limits=Limits(memory_bytes=512 << 20, open_files=64, file_bytes=8 << 20)
    )
    assert stored_spec(spec.expanded, file=FILE) == spec
    assert spec.digest != parse('name = "a"\n' + BOTS).digest
    assert "confinement" not in parse('name = "a"\n' + BOTS).expanded


def test_confinement_that_cannot_be_had_is_refused_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    text = 'name = "a"\n[confinement]\nbubblewrap = true\n' + BOTS
    with pytest.raises(IllegalSpec, match=r"confinement: cannot be had.*no program"):
        parse(text)
    # What was played elsewhere can be read here.
    assert stored_spec(text, file=FILE).confinement.bubblewrap


def test_every_mistake_about_confinement_is_named() -> None:
    wrong = "[confinement]\nbubblewrap = 1\nmemory_mb = 0\nopen_file = 64\n"
    with pytest.raises(IllegalSpec) as caught:
        parse('name = "a"\n' + wrong + BOTS)
    assert [mistake.path for mistake in caught.value.mistakes] == [
        "confinement.memory_mb",
        "confinement.bubblewrap",
        "confinement.open_file",
    ]


def test_how_fast_a_tournament_is_played_does_not_change_what_it_is() -> None:
    slow = parse('name = "a"\nconcurrency = 1\n' + BOTS)
    fast = parse('name = "a"\nconcurrency = 64\n' + BOTS)
    other = parse('name = "a"\nlookahead = 8\n' + BOTS)
    assert slow.digest == fast.digest != other.digest


def test_a_spec_of_other_rules_under_the_same_hash_is_refused() -> None:
    text = parse('name = "a"\n' + BOTS).expanded
    changed = text.replace(
        "[schedule]", "[rules.overrides]\nhook = false\n\n[schedule]"
    )
    with pytest.raises(IllegalSpec, match=r"rules\.hash: is not the hash"):
        stored_spec(changed, file=FILE)


def test_a_stored_spec_is_read_though_its_programs_are_gone() -> None:
    text = parse('name = "a"\n' + BOTS).expanded.replace('"greedy"', '"retired"')
    entrant = stored_spec(text, file=FILE).entrants[2]
    assert entrant.source == House("retired", in_process=False)


def test_the_starter_spec_works_as_it_is() -> None:
    text = starter_spec("mine", file="mine.toml", house_bots=HOUSE)
    assert parse(text).names == HOUSE
    assert tomllib.loads(text)["name"] == "mine"


def test_commands_start_beside_the_spec(tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    file = tmp_path / "a.toml"
    file.write_text('name = "a"\n' + BOTS + '[[bots]]\nname = "x"\ncommand = ["./bot"]')
    spec = read_spec(file, HOUSE)
    assert spec.folder == tmp_path
    assert spec.entrants[-1].source == Command(("./bot",), ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name = ", "file: is not TOML"),
        (f"seats = {'9' * 5000}", "file: is not TOML: Exceeds the limit"),
        (f"seats = 0x{'f' * 5000}", "file: is not TOML: Exceeds the limit"),
        ("", "name: is missing; give a string"),
        ('name = "../a"', "name: is '../a'; use 1 to 63 letters"),
        ('name = "a"\nsaets = 4', 'saets: is not a known key; did you mean "seats"?'),
        ('name = "a"\nseats = "4"', "seats: is a string ('4'); it must be a whole"),
        ('name = "a"\nseats = true', "seats: is true or false (True); it must be"),
        ('name = "a"\nseats = 2', "seats: 2 players: these rules are for 3 4 5 6 7"),
        ('name = "a"\nseats = 8', "seats: 8 players: these rules are for 3 4 5 6 7"),
        ('name = "a"\nseed = -1', "seed: is -1; it must be 0 to"),
        ('name = "a"\nconcurrency = 0', "concurrency: is 0; it must be 1 to 4096"),
        (
            'name = "a"\n[rules]\npreset = "blakout"',
            'rules.preset: "blakout" is not a known preset; did you mean "blackout"?',
        ),
        ('name = "a"\n[rules]\nhook = false', "rules.hook: is not a known key"),
        (
            'name = "a"\n[rules.overrides]\nhok = false',
            "did you mean hook?; `ohhell rules show pagat_standard` lists",
        ),
        ('name = "a"\n[rules.overrides]\ndeal_high = 99', "rules.overrides: "),
        (
            'name = "a"\n[schedule]\nkind = "swiss"',
            'schedule.kind: "swiss" is not a schedule; known are: round_robin',
        ),
        ('name = "a"\n[schedule]\nblocks = 0', "schedule.blocks: is 0; it must be 1"),
        ('name = "a"\n[time]\nbank_ms = -5', "time.bank_ms: is -5; it must be 0 to"),
        ('name = "a"\n[time]\nbank = 5', 'did you mean "bank_ms"?'),
        (
            'name = "a"\n[[bots]]\nhouse = "gredy"',
            'bots #1 (gredy).house: "gredy" is not a house bot; did you mean "greedy"?',
        ),
        ('name = "a"\n[[bots]]\nname = "x"', "bots #1 (x): says nothing to play it"),
        (
            'name = "a"\n[[bots]]\nhouse = "greedy"\ncommand = ["python"]',
            "bots #1 (greedy): has command and house; give exactly one",
        ),
        (
            'name = "a"\n[[bots]]\ncommand = ["python"]',
            "bots #1.name: is missing",
        ),
        (
            'name = "a"\n[[bots]]\nname = "x y"\nhouse = "greedy"',
            "bots #1 (x y).name: is 'x y'",
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\ncommand = []',
            "bots #1 (x).command: is empty",
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\ncommand = "python x.py"',
            "bots #1 (x).command: is a string ('python x.py'); it must be a list",
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\ncommand = ["no-such-program"]',
            'bots #1 (x).command: no program "no-such-program" in PATH; install it',
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\ncommand = ["./no-such-file"]',
            'bots #1 (x).command: there is no file "no-such-file"',
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\ncommand = ["python"]\nenv = {A = 1}',
            "bots #1 (x).env.A: is 1; write it as a string",
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\ncommand = ["python"]\n'
            'env = {OHHELL_BOT_LANE = "1"}',
            "bots #1 (x).env.OHHELL_BOT_LANE: cannot be set",
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\naddress = "http://127.0.0.1:9/"',
            "bots #1 (x).address: 'http://127.0.0.1:9/' is not HOST:PORT; write it as",
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\naddress = ""',
            "bots #1 (x).address: '' is not HOST:PORT",
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\naddresses = ["unix:/a", "b:1"]',
            "bots #1 (x).addresses: 'unix:/a' is not HOST:PORT",
        ),
        (
            'name = "a"\nduplicate = "on"\n[[bots]]\nname = "x"\n'
            'address = "127.0.0.1:9"',
            'duplicate: is "on", and x has 1 process for 4 seats; no process may meet'
            " the same deals twice: give it one for each seat, write trusted = true for"
            ' it, or leave out duplicate = "on"',
        ),
        (
            'name = "a"\nduplicate = "maybe"\n' + BOTS,
            'duplicate: is "maybe"; it must be "on" or "off"',
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\n'
            'addresses = ["a:1", "a:2", "a:3", "a:4", "a:5"]',
            "bots #1 (x).addresses: has 5 addresses for 4 seats; give at most one for"
            " each seat, 4",
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\ncommand = ["python"]\nlanes = 5',
            "bots #1 (x).lanes: is 5; it must be 1 to 4",
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\ncommand = ["python"]\nlanes = 2\n'
            "trusted = true",
            "bots #1 (x).lanes: is 2; a trusted bot is one process",
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\naddress = "a:1"\nlanes = 1',
            "bots #1 (x).lanes: is for bots with a command; remove it",
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\ntrusted = true\n'
            'addresses = ["a:1", "a:2"]',
            "bots #1 (x): has 2 addresses; a trusted bot has one",
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\n'
            'addresses = ["a:1", "a:2", "a:3", "a:1"]',
            'bots: "a:1" is given 2 times; a process plays one lane of one bot',
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\naddress = "a:1"\ncommand = ["python"]',
            "bots #1 (x): has command and address; give exactly one",
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\naddress = "a:1"\nenv = {A = "1"}',
            "bots #1 (x).env: is for bots with a command; remove it",
        ),
        (
            'name = "a"\n' + BOTS + '[[bots]]\nname = "GREEDY"\nhouse = "random"',
            'bots: 2 bots are called "greedy"',
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\ncommand = ["python", "a\\u0000b"]',
            "bots #1 (x).command: is ['python', 'a\\x00b']; no string in it may hold",
        ),
        (
            'name = "a"\n[[bots]]\nname = "x"\ncommand = ["python"]\n'
            'env = {A = "1\\u0000"}',
            "bots #1 (x).env.A: is '1\\x00'; it must not hold a NUL",
        ),
        (
            'name = "a"\n[[bots]]\nname = "a\\nb"\nhouse = "greedy"',
            "bots #1.name: is 'a\\nb'; use 1 to 63 letters",
        ),
        ("name = 2026-11-30", "name: is a date (datetime.date(2026, 11, 30)); it must"),
        ('name = "a"\n[[bots]]\nhouse = "greedy"', "4 seats need at least 4"),
        ('name = "a"\nbots = ["greedy"]', "bots #1: is 'greedy'; write it as a table"),
    ],
)
def test_a_mistake_is_named_with_what_would_be_right(text: str, expected: str) -> None:
    assert any(expected in mistake for mistake in mistakes(text)), mistakes(text)


def test_all_mistakes_are_told_at_once_and_each_names_the_file() -> None:
    with pytest.raises(IllegalSpec) as caught:
        parse('name = "a"\nsaets = 4\n[time]\nbank_ms = -5\n[[bots]]\nhouse = "x"\n')
    lines = str(caught.value).splitlines()
    assert len(lines) == 4
    assert all(line.startswith("my.toml: ") for line in lines)


def test_a_spec_that_cannot_be_read_is_a_mistake_too(tmp_path: Path) -> None:
    with pytest.raises(IllegalSpec, match="No such file"):
        read_spec(tmp_path / "absent.toml", HOUSE)
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'name = "caf\xe9"')
    with pytest.raises(IllegalSpec, match="is not UTF-8"):
        read_spec(latin, HOUSE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seats = 8\n" + BOTS, "seats: 8 players: these rules are for 3 4 5 6 7"),
        ('[bots]\nhouse = "greedy"', "bots: is a table ({'house': 'greedy'})"),
        (
            BOTS + '[[bots]]\nname = "x"\ncommand = "python x.py"',
            "bots #5 (x).command: is a string ('python x.py')",
        ),
        (
            BOTS + '[[bots]]\nname = "x"\ncommand = [1, 2]',
            "bots #5 (x).command: is [1, 2]; it must be a list of strings",
        ),
    ],
)
def test_one_mistake_is_told_once(text: str, expected: str) -> None:
    (told,) = mistakes('name = "a"\n' + text)
    assert told.startswith(expected)


def test_a_spec_may_begin_with_the_mark_of_an_editor(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text('name = "a"\n' + BOTS, encoding="utf-8-sig")
    assert read_spec(file, HOUSE).name == "a"
