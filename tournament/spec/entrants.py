"""The bots of a spec: what plays them, and in how many processes."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from server.address import Address, Trust
from server.names import BOT_NAME
from tournament.launcher import search_path
from tournament.spec.model import (
    Command,
    Dialled,
    Entrant,
    House,
    Protocol,
    Source,
)
from tournament.spec.reading import Table, nearest

_BOT_NAME_RULE = "use 1 to 63 letters, digits and inner hyphens"
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SOURCES = ("command", "house", "address", "addresses")


def read_entrants(
    top: Table, folder: Path, house_bots: Collection[str] | None, *, seats: int
) -> tuple[Entrant, ...]:
    """Read `[[bots]]`; without `house_bots` nothing outside the spec is looked up."""
    entrants = [
        _entrant(table, folder, house_bots, seats=seats) for table in top.tables("bots")
    ]
    # Names become file names, and some file systems do not tell a from A.
    times = Counter(entrant.name.casefold() for entrant in entrants)
    for name, count in times.items():
        if count > 1:
            right = "give each a name of its own (upper and lower case are the same)"
            top.wrong("bots", f'{count} bots are called "{name}"', right)
    _addresses_once(top, entrants)
    return tuple(entrants)


def _entrant(
    table: Table, folder: Path, house_bots: Collection[str] | None, *, seats: int
) -> Entrant:
    given = [key for key in _SOURCES if key in table]
    if len(given) != 1:
        wrong = f"has {' and '.join(given)}" if given else "says nothing to play it"
        right = (
            'give exactly one of command = ["..."], house = "...", address = "..." and'
            ' addresses = ["..."]'
        )
        table.wrong("", wrong, right)
    house = table.get("house", str, "")
    name = table.get("name", str, house)
    trusted = table.get("trusted", bool, default=bool(house))
    source = _source(table, house, folder, house_bots)
    lanes = _lanes(table, source, trusted=trusted, seats=seats)
    table.finish()
    if "name" not in table and not house:
        table.wrong("name", "is missing", _BOT_NAME_RULE)
    elif not BOT_NAME.fullmatch(name):
        table.wrong("name", f"is {name!r}", _BOT_NAME_RULE)
    return Entrant(name, source, trusted, lanes)


def _source(
    table: Table, house: str, folder: Path, house_bots: Collection[str] | None
) -> Source:
    in_process = table.get("in_process", bool, default=False)
    command = table.strings("command")
    env = table.get("env", dict, {})
    protocol = _protocol(table)
    addresses = _addresses(table)
    called = "address" in table or "addresses" in table
    tls = table.get("tls", bool, default=False)
    ca_file = table.get("ca_file", str, "")
    for key in ("tls", "ca_file"):
        if key in table and not called:
            table.wrong(key, "is for bots that are called", "remove it")
    if env and (house or called):
        table.wrong("env", "is for bots with a command", "remove it")
    if house:
        if house_bots is not None and house not in house_bots:
            wrong = f'"{house}" is not a house bot'
            table.wrong("house", wrong, nearest(house, house_bots))
        return House(house, in_process)
    if in_process:
        table.wrong("in_process", "is for house bots", "remove it")
    if called:
        if ca_file and house_bots is not None:
            _check_authorities(table, folder / ca_file)
        return Dialled(addresses, tls or bool(ca_file), ca_file)
    # A command that is no list of strings has been told already.
    if (command or table.keys.get("command") == []) and house_bots is not None:
        _check_command(table, command, folder)
    return Command(command, _environment(table, env), protocol)


def _lanes(table: Table, source: Source, *, trusted: bool, seats: int) -> int:
    """Count the processes of a bot; one too many would have nothing to play."""
    usual = 1 if trusted else seats
    asked = table.number("lanes", usual, least=1, most=max(seats, 1))
    if isinstance(source, Dialled):
        if "lanes" in table:
            table.wrong("lanes", "is for bots with a command", "remove it")
        lanes = len(source.addresses)
        given = "1 address" if lanes == 1 else f"{lanes} addresses"
        if trusted and lanes != 1:
            right = 'a trusted bot has one: address = "..."'
            table.wrong("", f"has {given}", right)
        elif lanes > seats:
            right = f"give at most one for each seat, {seats}"
            table.wrong("addresses", f"has {given} for {seats} seats", right)
        return lanes
    if trusted and asked != 1:
        right = "a trusted bot is one process; remove lanes, or trusted"
        table.wrong("lanes", f"is {asked}", right)
    return asked


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


def _addresses_once(top: Table, entrants: Collection[Entrant]) -> None:
    """No process holds two seats of a table."""
    times = Counter(
        address
        for entrant in entrants
        if isinstance(entrant.source, Dialled)
        for address in entrant.source.addresses
    )
    for address, count in times.items():
        if count > 1:
            right = "a process plays one lane of one bot"
            top.wrong("bots", f'"{address}" is given {count} times', right)


def _check_authorities(table: Table, path: Path) -> None:
    try:
        Trust.read(path)
    except OSError as error:
        wrong = f'"{path}" holds no certificate ({error.strerror or error})'
        table.wrong("ca_file", wrong, "name a file with certificates, in PEM")


def _check_command(table: Table, command: tuple[str, ...], folder: Path) -> None:
    if not command:
        right = 'give the program and its arguments: command = ["python", "my_bot.py"]'
        table.wrong("command", "is empty", right)
        return
    program = command[0]
    if os.sep in program:
        path = folder / program
        if not path.exists():
            table.wrong(
                "command", f'there is no file "{path}"', "build it, or correct the path"
            )
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
        elif "\0" in value:
            table.wrong(f"env.{name}", f"is {value!r}", "it must not hold a NUL")
        elif not _ENV_NAME.fullmatch(name) or name.startswith("OHHELL_"):
            right = "use letters, digits and _, not beginning with OHHELL_"
            table.wrong(f"env.{name}", "cannot be set", right)
        else:
            pairs.append((name, value))
    return tuple(pairs)
