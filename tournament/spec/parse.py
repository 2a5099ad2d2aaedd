"""From the text of a spec to a `Spec`, or to the list of all its mistakes."""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from engine.errors import Code, IllegalRules
from engine.presets import preset_names
from engine.rules import Rules
from server.address import Address
from server.clock import TimeControl
from server.names import BOT_NAME
from tournament.launcher import search_path
from tournament.schedule import UnplayableField, design
from tournament.schedule.designs import FEWEST_SEATS, MOST_SEATS
from tournament.spec.model import (
    USUAL_TIME,
    Command,
    Dialled,
    Entrant,
    House,
    Protocol,
    ScheduleKind,
    Source,
    Spec,
)
from tournament.spec.reading import IllegalSpec, Mistake, Table, nearest

LONGEST_NAME = 63
_RUN_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._+-]{{0,{LONGEST_NAME - 1}}}")
_RUN_NAME_RULE = (
    f"use 1 to {LONGEST_NAME} letters, digits and . _ + -, beginning with a letter or"
    " a digit"
)
_BOT_NAME_RULE = "use 1 to 63 letters, digits and inner hyphens"
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HOUR_MS = 3_600_000
_SOURCES = ("command", "house", "address", "addresses")


def read_spec(file: Path, house_bots: Collection[str]) -> Spec:
    """Read a spec file; raises `IllegalSpec`, also for a file that cannot be read."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        right = "`ohhell tournament new FILE` writes a spec to start from"
        raise IllegalSpec(str(file), [Mistake("file", reason, right)]) from error
    except UnicodeDecodeError as error:
        mistake = Mistake("file", f"is not UTF-8 ({error.reason})", "save it as UTF-8")
        raise IllegalSpec(str(file), [mistake]) from error
    return parse_spec(text, file=file, house_bots=house_bots)


def parse_spec(text: str, *, file: Path, house_bots: Collection[str]) -> Spec:
    """Parse the text of a spec; `file` is for messages and for relative commands."""
    return _parse(text, file, house_bots)


def stored_spec(text: str, *, file: Path) -> Spec:
    """Parse an expanded spec of a run: its programs need not be here any more."""
    return _parse(text, file, None)


def _parse(text: str, file: Path, house_bots: Collection[str] | None) -> Spec:
    try:
        keys = tomllib.loads(text)
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
    entrants = _entrants(top, folder, house_bots)
    kind, blocks = _schedule(top.table("schedule"))
    time = _time(top.table("time"))
    top.finish()
    _field(top, entrants, seats)
    _lanes(top, entrants, seats)
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
        schedule=kind,
        blocks=blocks,
        lookahead=lookahead,
        time=time,
        concurrency=concurrency,
        folder=folder,
    )


def _rules(table: Table, seats: int) -> tuple[str, dict[str, object], Rules | None]:
    preset = table.get("preset", str, "pagat_standard")
    overrides = table.get("overrides", dict, {})
    expected_hash = table.get("hash", str, "")
    table.finish()
    if preset not in preset_names():
        wrong = f'"{preset}" is not a known preset'
        table.wrong("preset", wrong, nearest(preset, preset_names()))
        return preset, overrides, None
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


def _entrants(
    top: Table, folder: Path, house_bots: Collection[str] | None
) -> tuple[Entrant, ...]:
    entrants = [_entrant(table, folder, house_bots) for table in top.tables("bots")]
    # Names become file names, and some file systems do not tell a from A.
    times = Counter(entrant.name.casefold() for entrant in entrants)
    for name, count in times.items():
        if count > 1:
            right = "give each a name of its own (upper and lower case are the same)"
            top.wrong("bots", f'{count} bots are called "{name}"', right)
    return tuple(entrants)


def _entrant(table: Table, folder: Path, house_bots: Collection[str] | None) -> Entrant:
    sources = [key for key in _SOURCES if key in table]
    if len(sources) != 1:
        wrong = f"has {' and '.join(sources)}" if sources else "says nothing to play it"
        right = (
            'give exactly one of command = ["..."], house = "...", address = "..." and'
            ' addresses = ["..."]'
        )
        table.wrong("", wrong, right)
    house = table.get("house", str, "")
    in_process = table.get("in_process", bool, default=False)
    command = table.strings("command")
    env = table.get("env", dict, {})
    protocol = _protocol(table)
    name = table.get("name", str, house)
    trusted = table.get("trusted", bool, default=bool(house))
    addresses = _addresses(table)
    table.finish()
    if "name" not in table and not house:
        table.wrong("name", "is missing", _BOT_NAME_RULE)
    elif not BOT_NAME.fullmatch(name):
        table.wrong("name", f"is {name!r}", _BOT_NAME_RULE)
    if not house:
        if in_process:
            table.wrong("in_process", "is for house bots", "remove it")
        if "address" in table or "addresses" in table:
            if env:
                table.wrong("env", "is for bots with a command", "remove it")
            return Entrant(name, Dialled(addresses), trusted)
        if "command" in table and house_bots is not None:
            _check_command(table, command, folder)
        source: Source = Command(command, _environment(table, env), protocol)
        return Entrant(name, source, trusted)
    if house_bots is not None and house not in house_bots:
        wrong = f'"{house}" is not a house bot'
        table.wrong("house", wrong, nearest(house, house_bots))
    if env:
        table.wrong("env", "is for bots with a command", "remove it")
    return Entrant(name, House(house, in_process), trusted)


def _protocol(table: Table) -> Protocol:
    word = table.get("protocol", str, Protocol.GRPC.value)
    if word not in list(Protocol):
        table.wrong("protocol", f'"{word}" is not a protocol', nearest(word, Protocol))
        return Protocol.GRPC
    if "protocol" in table and "command" not in table:
        table.wrong("protocol", "is for bots with a command", "remove it")
    return Protocol(word)


def _addresses(table: Table) -> tuple[Address, ...]:
    given = [("addresses", text) for text in table.strings("addresses")]
    if "address" in table:
        given.append(("address", table.get("address", str, "")))
    found = []
    for key, text in given:
        try:
            found.append(Address.of(text))
        except ValueError as error:
            table.wrong(key, str(error), 'write it as in "127.0.0.1:50070"')
    return tuple(found)


def _lanes(top: Table, entrants: tuple[Entrant, ...], seats: int) -> None:
    """No process that is called may meet the same deals twice, or two of its seats."""
    times: Counter[Address] = Counter()
    for place, entrant in enumerate(entrants, start=1):
        if not isinstance(entrant.source, Dialled):
            continue
        addresses = entrant.source.addresses
        times.update(addresses)
        bot = f"bots #{place} ({entrant.name})"
        given = "1 address" if len(addresses) == 1 else f"{len(addresses)} addresses"
        if entrant.trusted and len(addresses) != 1:
            top.wrong(bot, f"has {given}", 'a trusted bot has one: address = "..."')
        elif not entrant.trusted and len(addresses) != seats:
            right = (
                "no process may meet the same deals twice: give addresses = [...] of"
                f" {seats} processes, one for each seat, or write trusted = true"
            )
            top.wrong(bot, f"has {given} for {seats} seats", right)
    for address, count in times.items():
        if count > 1:
            right = "a process plays one lane of one bot"
            top.wrong("bots", f'"{address}" is given {count} times', right)


def _check_command(table: Table, command: tuple[str, ...], folder: Path) -> None:
    if not command:
        right = 'give the program and its arguments: command = ["python", "my_bot.py"]'
        table.wrong("command", "is empty", right)
        return
    program = command[0]
    if os.sep in program:
        path = folder / program
        if not path.exists():
            table.wrong("command", f'there is no file "{path}"', "correct the path")
        elif path.is_dir():
            table.wrong("command", f'"{path}" is a folder', "name a program in it")
        elif not os.access(path, os.X_OK):
            right = f"make it executable: chmod +x {path}"
            table.wrong("command", f'"{path}" cannot be executed', right)
    elif shutil.which(program, path=search_path()) is None:
        wrong = f'no program "{program}" in PATH'
        right = f'install it, or give a path: "./{program}"'
        table.wrong("command", wrong, right)


def _environment(table: Table, env: dict[str, object]) -> tuple[tuple[str, str], ...]:
    pairs = []
    for name, value in sorted(env.items()):
        if not isinstance(value, str):
            table.wrong(f"env.{name}", f"is {value!r}", "write it as a string")
        elif not _ENV_NAME.fullmatch(name) or name.startswith("OHHELL_"):
            right = "use letters, digits and _, not beginning with OHHELL_"
            table.wrong(f"env.{name}", "cannot be set", right)
        else:
            pairs.append((name, value))
    return tuple(pairs)


def _schedule(table: Table) -> tuple[ScheduleKind, int]:
    word = table.get("kind", str, ScheduleKind.ROUND_ROBIN.value)
    blocks = table.number("blocks", 60, least=1, most=10_000_000)
    table.finish()
    if word not in list(ScheduleKind):
        table.wrong("kind", f'"{word}" is not a schedule', nearest(word, ScheduleKind))
        word = ScheduleKind.ROUND_ROBIN.value
    return ScheduleKind(word), blocks


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
