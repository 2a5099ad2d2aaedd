"""From the text of a spec to a `Spec`, or to the list of all its mistakes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path

from engine.errors import Code, IllegalRules
from engine.presets import preset_called, preset_names
from engine.rules import Rules
from server.clock import TimeControl
from tournament.schedule import UnplayableField, design
from tournament.schedule.designs import FEWEST_SEATS, MOST_SEATS
from tournament.spec.confining import read_confinement
from tournament.spec.entrants import read_entrants
from tournament.spec.model import (
    USUAL_TIME,
    Duplicate,
    Entrant,
    ScheduleKind,
    Spec,
)
from tournament.spec.reading import IllegalSpec, Mistake, Table, nearest

LONGEST_NAME = 63
_RUN_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._+-]{{0,{LONGEST_NAME - 1}}}")
_RUN_NAME_RULE = (
    f"use 1 to {LONGEST_NAME} letters, digits and . _ + -, beginning with a letter or"
    " a digit"
)
_HOUR_MS = 3_600_000


def read_spec(file: Path, house_bots: Collection[str]) -> Spec:
    """Read a spec file; raises `IllegalSpec`, also for a file that cannot be read."""
    try:
        # With the mark that some editors begin a file with.
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = error.strerror or str(error)
        right = "`ohhell tournament new FILE` writes a spec to start from"
        if isinstance(error, FileNotFoundError):
            right = _meant(file) or f"there is no {file.absolute()}; {right}"
        raise IllegalSpec(str(file), [Mistake("file", reason, right)]) from error
    except UnicodeDecodeError as error:
        mistake = Mistake("file", f"is not UTF-8 ({error.reason})", "save it as UTF-8")
        raise IllegalSpec(str(file), [mistake]) from error
    return parse_spec(text, file=file, house_bots=house_bots)


def _meant(missing: Path) -> str:
    """Ask for a spec of almost that name; empty if there is none."""
    there = sorted(missing.parent.glob("*.toml"))
    specs = [path.name for path in there if path.is_file()]
    word = f"{missing.name.removesuffix('.toml')}.toml"
    near = get_close_matches(word, specs, n=1, cutoff=0.8)
    return f"did you mean {missing.with_name(near[0])}?" if near else ""


def parse_spec(text: str, *, file: Path, house_bots: Collection[str]) -> Spec:
    """Parse the text of a spec; `file` is for messages and for relative commands."""
    return _parse(text, file, house_bots)


def stored_spec(text: str, *, file: Path) -> Spec:
    """Parse an expanded spec of a run: its programs need not be here any more."""
    return _parse(text, file, None)


def _parse(text: str, file: Path, house_bots: Collection[str] | None) -> Spec:
    try:
        keys = tomllib.loads(text)
        # Hexadecimal ones are read, and could not be named in any message.
        _ = repr(keys)
    except (ValueError, RecursionError) as error:
        # Not only TOMLDecodeError: of numbers with thousands of digits, and of lists
        # in lists in lists, Python itself has had enough.
        mistake = Mistake("file", f"is not TOML: {error}", "see https://toml.io")
        raise IllegalSpec(str(file), [mistake]) from error
    mistakes: list[Mistake] = []
    spec = _spec(Table("", keys, mistakes), file.parent, house_bots)
    if spec is None or mistakes:
        raise IllegalSpec(str(file), mistakes)
    return spec


def _spec(top: Table, folder: Path, house_bots: Collection[str] | None) -> Spec | None:
    """Without `house_bots` nothing outside the spec is looked up."""
    name = top.require("name", str, "unnamed")
    if not _RUN_NAME.fullmatch(name):
        top.wrong("name", f"is {name!r}", _RUN_NAME_RULE)
    has_seed = "seed" in top
    seed = top.number("seed", 0, least=0, most=2**63 - 1)
    seats = top.number("seats", 4, least=2, most=10)
    concurrency = top.number("concurrency", 16, least=1, most=4096)
    lookahead = top.number("lookahead", 32, least=1, most=100_000)
    preset, overrides, rules = _rules(top.table("rules"), seats)
    entrants = read_entrants(top, folder, house_bots, seats=seats)
    duplicate = _duplicate(top, entrants, seats)
    kind, blocks, decide = _schedule(top.table("schedule"), entrants)
    time = _time(top.table("time"))
    confinement = read_confinement(
        top.table("confinement"), is_here=house_bots is not None
    )
    top.finish()
    told = {mistake.path for mistake in top.mistakes}
    if "seats" not in told and (entrants or "bots" not in told):
        _field(top, entrants, seats)
    if rules is None:
        return None
    return Spec(
        name=name,
        seed=seed if has_seed else None,
        seats=seats,
        preset=preset,
        overrides=overrides,
        rules=rules,
        entrants=entrants,
        duplicate=duplicate,
        schedule=kind,
        blocks=blocks,
        decide=decide,
        lookahead=lookahead,
        time=time,
        concurrency=concurrency,
        confinement=confinement,
        folder=folder,
    )


def _rules(table: Table, seats: int) -> tuple[str, dict[str, object], Rules | None]:
    preset = table.get("preset", str, "pagat_standard")
    overrides = table.get("overrides", dict, {})
    expected_hash = table.get("hash", str, "")
    table.finish()
    known = preset_called(preset)
    if known is None:
        wrong = f'"{preset}" is not a known preset'
        table.wrong("preset", wrong, nearest(preset, preset_names()))
        return preset, overrides, None
    preset = known
    try:
        # A bid that could be taken back would let a clock be stretched.
        rules = Rules.of(preset, overrides, players=seats).without_amending()
    except IllegalRules as error:
        for violation in error.violations:
            about_seats = violation.code is Code.BAD_PLAYER_COUNT
            path = "seats" if about_seats else f"{table.path}.overrides"
            right = f"`ohhell rules show {preset}` lists what can be set"
            table.mistakes.append(Mistake(path, violation.message, right))
        return preset, overrides, None
    if expected_hash and expected_hash != rules.hash(seats):
        wrong = "is not the hash of these rules"
        table.wrong("hash", wrong, "remove it, or use the version that wrote it")
    return preset, overrides, rules


def _duplicate(top: Table, entrants: tuple[Entrant, ...], seats: int) -> Duplicate:
    """Decide whether copies share their deals: where every bot has lanes enough."""
    few = [bot for bot in entrants if not bot.trusted and bot.lanes < seats]
    word = top.get("duplicate", str, "off" if few else "on")
    if word not in list(Duplicate):
        top.wrong("duplicate", f'is "{word}"', 'it must be "on" or "off"')
        return Duplicate.OFF
    if word == "on":
        for bot in few:
            processes = "1 process" if bot.lanes == 1 else f"{bot.lanes} processes"
            top.wrong(
                "duplicate",
                f'is "on", and {bot.name} has {processes} for {seats} seats',
                "no process may meet the same deals twice: give it one for each seat,"
                ' write trusted = true for it, or leave out duplicate = "on"',
            )
    return Duplicate(word)


def _schedule(
    table: Table, entrants: tuple[Entrant, ...]
) -> tuple[ScheduleKind, int, tuple[str, str] | None]:
    word = table.get("kind", str, ScheduleKind.ROUND_ROBIN.value)
    blocks = table.number("blocks", 60, least=1, most=10_000_000)
    decide = _decide(table, [entrant.name for entrant in entrants])
    table.finish()
    if word not in list(ScheduleKind):
        table.wrong("kind", f'"{word}" is not a schedule', nearest(word, ScheduleKind))
        word = ScheduleKind.ROUND_ROBIN.value
    return ScheduleKind(word), blocks, decide


def _decide(table: Table, bots: list[str]) -> tuple[str, str] | None:
    names = table.strings("decide")
    for name in names:
        if name not in bots:
            table.wrong("decide", f'"{name}" is none of the bots', nearest(name, bots))
    match names:
        case ():
            return None
        case (one, other) if one != other:
            return one, other
        case _:
            table.wrong("decide", f"is {list(names)}", "give two of the bots, by name")
            return None


def _time(table: Table) -> TimeControl:
    usual = USUAL_TIME
    time = TimeControl(
        per_decision_ms=table.number(
            "per_decision_ms", usual.per_decision_ms, least=1, most=_HOUR_MS
        ),
        bank_ms=table.number("bank_ms", usual.bank_ms, least=0, most=_HOUR_MS),
        increment_ms=table.number(
            "increment_ms", usual.increment_ms, least=0, most=_HOUR_MS
        ),
        grace_ms=table.number("grace_ms", usual.grace_ms, least=0, most=_HOUR_MS),
    )
    table.finish()
    return time


def _field(top: Table, entrants: tuple[Entrant, ...], seats: int) -> None:
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        right = f"tournaments have {FEWEST_SEATS} to {MOST_SEATS} seats a table"
        top.wrong("seats", f"is {seats}", right)
        return
    try:
        design(len(entrants), seats)
    except UnplayableField as error:
        wrong, _, right = str(error).partition("; ")
        top.wrong("bots", wrong, right)
