"""Mutate the rules of the game; fail on a mutant that the tests let live.

    python -m tests.mutation.mutate [module ...]

Without names it mutates all `MODULES`. mutmut runs in a copy of what it needs, so the
tree stays as it is. Survivors that cannot be told from the original are in
`survivors.toml`, each with its reason; they are known by their function and the lines
that changed, not by a number. An entry that no survivor needs any more is a fault as
well.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("survivors.toml")
# Without `deal`, which states no rule of its own: it puts their answers together. A
# second statement of the rules and OpenSpiel are held against it, game by game.
MODULES = (
    *("bidding", "legality", "plan", "reading", "rules", "scoring", "totals"),
    *("trick", "trump", "validation"),
)
TESTS = [
    *[
        f"tests/unit/engine/test_{name}.py"
        for name in (*MODULES, "deal", "small_packs")
    ],
    "tests/conformance/test_value_vectors.py",
]
COPIED = [
    *("bots", "cli", "tests/conftest.py", "tests/doubles", "tests/mutation"),
    "tests/conformance/data",
]
PLUGIN = "tests.mutation.afresh"
QUIET = ["-p", "no:cacheprovider", "--import-mode=importlib"]
# How mutmut calls what a test run found; all else means that a mutant lives.
DEAD = {"killed", "timeout", "segfault", "caught by type check"}


class Survivor(NamedTuple):
    """Lines without indentation; several that were taken or given are joined by \\n."""

    function: str
    was: str
    became: str


def listed() -> dict[Survivor, str]:
    """Return the survivors that are allowed, with their reasons."""
    entries = tomllib.loads(LIST.read_text(encoding="utf-8")).get("survivor", [])
    reasons = {
        Survivor(entry["function"], entry["was"], entry["became"]): entry["reason"]
        for entry in entries
    }
    unreasoned = [survivor for survivor, reason in reasons.items() if not reason]
    if unreasoned or len(reasons) != len(entries):
        raise ValueError(f"every survivor is listed once, with a reason: {unreasoned}")
    return reasons


def prepare(folder: Path, modules: Sequence[str]) -> None:
    """Copy what is mutated and what tests it, with a configuration of its own."""
    shutil.copytree(ROOT / "engine", folder / "engine")
    for name in [*COPIED, *TESTS]:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)
    # Lists of text are the same in JSON and in TOML.
    settings = {
        "source_paths": ["engine"],
        "only_mutate": [f"engine/{module}.py" for module in modules],
        "also_copy": ["bots", "cli", "tests"],
        "pytest_add_cli_args": ["-p", PLUGIN, *QUIET],
        "pytest_add_cli_args_test_selection": TESTS,
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    text = "\n".join(
        [
            "[tool.mutmut]",
            *lines,
            "track_dependencies = false",
            "use_git_change_detection = false",
            "[tool.pytest.ini_options]",
            'asyncio_mode = "auto"',
            "",
        ]
    )
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")


def mutmut(folder: Path, *arguments: str) -> str:
    """Run it in the folder; its output, which is shown only where it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"mutmut {arguments[0]}: {done.stdout[-3000:]}{done.stderr}")
    return done.stdout


def survivor(folder: Path, mutant: str) -> Survivor:
    """Tell a mutant by what it changed."""
    lines = mutmut(folder, "show", mutant).splitlines()
    was = [line[1:].strip() for line in lines if re.match(r"-(?!--)", line)]
    became = [line[1:].strip() for line in lines if re.match(r"\+(?!\+\+)", line)]
    return Survivor(function_of(mutant), "\n".join(was), "\n".join(became))


def function_of(mutant: str) -> str:
    """`engine.plan.xǁPlanǁsize__mutmut_3` is of `engine.plan.Plan.size`."""
    module, _, name = mutant.rpartition("__mutmut_")[0].rpartition(".")
    name = name.removeprefix("x_") if name.startswith("x_") else name[2:]
    return f"{module}.{name.replace('ǁ', '.')}"


def chosen(names: Sequence[str]) -> Sequence[str]:
    unknown = sorted({*names} - {*MODULES})
    if unknown:
        raise SystemExit(f"no module to mutate: {unknown}; one of {', '.join(MODULES)}")
    return names or MODULES


def main(names: Sequence[str]) -> int:
    modules = chosen(names)
    allowed = {
        mutant: reason
        for mutant, reason in listed().items()
        if mutant.function.split(".")[1] in modules
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder, modules)
        mutmut(folder, "run")
        results = mutmut(folder, "results", "--all", "true")
        states = dict(re.findall(r"^\s+(\S+): (.+)$", results, re.MULTILINE))
        living = [mutant for mutant, state in states.items() if state not in DEAD]
        found = {survivor(folder, mutant): states[mutant] for mutant in living}
    new = {mutant: state for mutant, state in found.items() if mutant not in allowed}
    gone = [mutant for mutant in allowed if mutant not in found]
    for mutant, state in new.items():
        print(f"{state}: {mutant.function}\n  - {mutant.was}\n  + {mutant.became}")
    for mutant in gone:
        print(f"no survivor any more: {mutant.function}\n  + {mutant.became}")
    print(
        f"{len(states)} mutants, {len(living)} live: {len(found) - len(new)} listed"
        f" with a reason, {len(new)} new; {len(gone)} entries are of no use"
    )
    return 1 if new or gone or not states else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
