"""Changes to the files of a run such as nobody makes who plays it: by hand, by a disk.

Each draws from a generator of its own, and so is the same at every call.
"""

# ruff: noqa: S608 - names of columns and tables are ours, and all that is put in

from __future__ import annotations

import gzip
import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 3, 7, 255, 2**31, -(2**63), 10**400),
    *(0.5, float("nan"), "", "x", "greedy", "\x1b[31m", "\ud800", "é" * 400),
    *([], [[]], [1, 2], {}, {"a": 1}),
)
"""What stands where something else should, in JSON."""
STRANGE_CELLS: tuple[Any, ...] = (
    *(None, 0, 1, -1, 2, 5, 2**31, 2**62, 0.5, "", "x", "[]", b"", b"\xff" * 3),
    *(bytes(32), bytes(100), "\x00", "[" * 9_999, "9" * 9_999, "é" * 400),
)
"""The same in a column of the journal."""
NOTHING = "nothing, which is a change like any other"
TABLES = ("run", "attempts", "promises", "blocks")


def forge(run: Path, number: int) -> str:
    """Change something in a run folder, another thing for each number; what it was."""
    dice = random.Random(number)  # noqa: S311 - repeatable, no secret
    ways = (
        *(_result, _result, _result, _result),
        *(_cell, _cell, _row, _spec),
        *(_record_in_journal, _record_in_file),
        *(_results_file, _bytes_of_file, _bytes_of_file, _kind_of_file),
    )
    return ways[number % len(ways)](run, dice)


def _result(run: Path, dice: random.Random) -> str:
    """A stored result of a block."""
    return _stored(run, dice, "result", lambda text: _json(str(text), dice))


def _record_in_journal(run: Path, dice: random.Random) -> str:
    return _stored(run, dice, "records", lambda data: _packed_lines(data, dice))


def _record_in_file(run: Path, dice: random.Random) -> str:
    file = dice.choice(sorted((run / "records").iterdir()))
    changed, told = _packed_lines(file.read_bytes(), dice)
    file.write_bytes(changed)
    return f"{file.name}: {told}"


def _results_file(run: Path, dice: random.Random) -> str:
    file = run / "results.json"
    changed, told = _json(file.read_text(), dice)
    file.write_bytes(changed.encode(errors="surrogatepass"))
    return f"{file.name}: {told}"


def _stored(
    run: Path,
    dice: random.Random,
    column: str,
    change: Callable[[Any], tuple[Any, str]],
) -> str:
    with closing(sqlite3.connect(run / "run.db")) as journal, journal:
        rows = journal.execute(f"SELECT block, {column} FROM blocks").fetchall()
        block, value = dice.choice(rows)
        changed, told = change(value)
        if isinstance(changed, str):
            # As it may lie there, which no connection of ours would write.
            changed = changed.encode(errors="surrogatepass")
            cast = f"UPDATE blocks SET {column} = CAST(? AS TEXT) WHERE block = ?"
            journal.execute(cast, (changed, block))
        else:
            update = f"UPDATE blocks SET {column} = ? WHERE block = ?"
            journal.execute(update, (changed, block))
    return f"{column} of block {block}: {told}"


def _cell(run: Path, dice: random.Random) -> str:
    with closing(sqlite3.connect(run / "run.db")) as journal, journal:
        table = dice.choice(TABLES)
        columns = [row[1] for row in journal.execute(f"PRAGMA table_info({table})")]
        column, value = dice.choice(columns), dice.choice(STRANGE_CELLS)
        # The declared type must not stand in the way of a wrong one.
        journal.execute("PRAGMA ignore_check_constraints = ON")
        rows = [row[0] for row in journal.execute(f"SELECT rowid FROM {table}")]
        update = f"UPDATE OR IGNORE {table} SET {column} = ? WHERE rowid = ?"
        try:
            journal.execute(update, (value, dice.choice(rows)))
        except sqlite3.IntegrityError:
            return NOTHING
    return f"{table}.{column} = {value!r:.60}"


def _row(run: Path, dice: random.Random) -> str:
    with closing(sqlite3.connect(run / "run.db")) as journal, journal:
        table = dice.choice(TABLES)
        rows = journal.execute(f"SELECT rowid, * FROM {table}").fetchall()
        number, *values = dice.choice(rows)
        if dice.random() < 0.5:
            journal.execute(f"DELETE FROM {table} WHERE rowid = ?", (number,))
            return f"row {number} of {table} is gone"
        place = dice.randrange(len(values))
        values[place] = dice.choice(STRANGE_CELLS)
        marks = ", ".join("?" * len(values))
        try:
            journal.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", values)
        except sqlite3.IntegrityError:
            return NOTHING
    return f"a row more in {table}: {values[place]!r:.60} at {place}"


def _spec(run: Path, dice: random.Random) -> str:
    with closing(sqlite3.connect(run / "run.db")) as journal, journal:
        (text,) = journal.execute("SELECT spec FROM run").fetchone()
        lines = text.splitlines(keepends=True)
        at = dice.randrange(len(lines))
        told = lines[at].strip()
        key = lines[at].partition(" = ")[0]
        change = dice.choice(("", f"{key} = 9\n", f'{key} = "x"\n', "[[\n"))
        journal.execute(
            "UPDATE run SET spec = ?",
            ("".join([*lines[:at], change, *lines[at + 1 :]]),),
        )
    return f"spec: {told} became {change.strip()!r}"


def _bytes_of_file(run: Path, dice: random.Random) -> str:
    file = dice.choice(_files(run))
    data = bytearray(file.read_bytes())
    if dice.random() < 0.5:
        del data[dice.randrange(len(data)) :]
        told = f"cut to {len(data)} bytes"
    else:
        for _ in range(dice.choice((1, 30))):
            data[dice.randrange(len(data))] = dice.randrange(256)
        told = "other bytes"
    file.write_bytes(data)
    return f"{file.name}: {told}"


def _kind_of_file(run: Path, dice: random.Random) -> str:
    file = dice.choice([*_files(run), run / "records"])
    if file.is_dir():
        shutil.rmtree(file)
    else:
        file.unlink()
    match dice.randrange(4):
        case 0:
            return f"{file.name} is gone"
        case 1:
            file.mkdir()
            return f"{file.name} is a folder"
        case 2:
            file.write_bytes(b"")
            return f"{file.name} is empty"
        case _:
            file.symlink_to(file.name)
            return f"{file.name} leads to itself"


def _files(run: Path) -> list[Path]:
    names = ("run.db", "results.json", "spec.toml", "report.html")
    return [*(run / name for name in names), *sorted((run / "records").iterdir())]


def _packed_lines(data: bytes, dice: random.Random) -> tuple[bytes, str]:
    lines = gzip.decompress(data).decode().splitlines(keepends=True)
    at = dice.randrange(len(lines))
    changed, told = _json(lines[at], dice)
    lines[at] = changed.rstrip("\n") + "\n"
    if dice.random() < 0.1:
        other = dice.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
        told += f", and changed with line {other}"
    text = "".join(lines).encode(errors="surrogatepass")
    return gzip.compress(text, 1, mtime=0), f"line {at}: {told}"


def _json(text: str, dice: random.Random) -> tuple[str, str]:
    """One value somewhere in a document is another, gone, or there twice."""
    if dice.random() < 0.08:
        end = dice.randrange(len(text))
        return text[:end], f"cut to {end} characters"
    document = json.loads(text)
    inside, key = document, None
    while True:
        keys = list(inside) if isinstance(inside, dict) else range(len(inside))
        if not keys:
            return dice.choice(("[" * 9_999, "9" * 9_999, "")), "something else"
        key = dice.choice(list(keys))
        if not isinstance(inside[key], dict | list) or dice.random() < 0.25:
            break
        inside = inside[key]
    match dice.randrange(6):
        case 0:
            del inside[key]
            told = f"{key!r} is gone"
        case 1 if isinstance(inside, list):
            inside.append(inside[key])
            told = f"{key!r} is there twice"
        case 2 if type(inside[key]) is int:
            inside[key] += dice.choice((-1, 1, 4, 60, 2**31))
            told = f"{key!r} is {inside[key]}"
        case _:
            inside[key] = dice.choice(STRANGE)
            told = f"{key!r} is {inside[key]!r:.60}"
    return json.dumps(document), told
