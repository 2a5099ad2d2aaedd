"""Documents say what is: links, names, flags, numbers, and every command in them."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
import typer.core
from rich.console import Console

from cli.main import app
from server.config import SECTIONS, Config
from tests.project.documents import Block, blocks_of, document, documents
from tests.project.tree import ROOT, project
from tournament.report.terminal import standings_table
from tournament.standings import standings

PATIENCE_S = 900.0
README = document("README.md")
SERVING = document("docs/serving.md")

COVERED_ELSEWHERE = {
    ("README.md", "make demo"): ("tests/fresh_machine/run.sh", "make demo"),
    ("README.md", "make test"): ("tests/fresh_machine/run.sh", "make test"),
    **{
        (f"docs/tutorials/{page}.md", "make runtime"): ("Makefile", "demo: runtime ")
        for page in ("cpp", "go", "java", "python", "rust", "stdio", "typescript")
    },
}
"""Blocks that are not run here, by page and text: the file that runs them, and how."""

PAGES = [document(name) for name in ("README.md", "docs/tournaments.md")]
PAGES += sorted(ROOT.glob("docs/tutorials/*.md"))
"""Pages that are typed from top to bottom; docs/serving.md has its own test."""

STARTERS = {
    f"docs/tutorials/{language}.md": ROOT / "clients" / language / "starter"
    for language in ("cpp", "go", "java", "rust", "typescript")
}
"""Pages that need a toolchain, and the bot that they begin with."""

FLAG = re.compile(r"(?<![\w-])--[a-z][\w-]*")
FOREIGN_FLAGS = {"--build", "--preset", "--release", "--test-dir", "--workflow"}
"""Flags of other programs that pages name."""

NOT_FOR_READERS = {"tests/doubles/bots/README.md"}
"""Pages that need not be found from README.md."""


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose(page: Path) -> str:
    """The page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)


def quoted(page: Path) -> Iterator[str]:
    """What stands between backquotes, and the lines of blocks to be typed."""
    yield from re.findall(r"`([^`\n]+)`", prose(page))
    for block in blocks_of(page, "sh"):
        yield from block.text.splitlines()


every_page = pytest.mark.parametrize("page", documents(), ids=name_of)


# Links and names


def links(page: Path) -> Iterator[Path]:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if "://" not in target:
            yield (page.parent / target.partition("#")[0]).resolve()


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    assert not [str(target) for target in links(page) if not target.exists()]


def test_every_page_is_found_from_the_readme() -> None:
    found: set[Path] = set()
    new = {README}
    while new:
        found |= new
        new = {link for page in new for link in links(page) if link.suffix == ".md"}
        new -= found
    lost = {name_of(page) for page in documents() if page not in found}
    assert lost == NOT_FOR_READERS | {"CHANGELOG.md"}


@every_page
def test_files_that_are_named_exist(page: Path) -> None:
    tops = {path.name for path in ROOT.iterdir()} - {"runs", ".venv", "build"}
    missing = []
    for text in quoted(page):
        for word in re.findall(r"[\w.-]+(?:/[\w.-]+)+/?", text):
            top = word.partition("/")[0]
            placeholder = re.search(r"\b[A-Z]+\b\.", word)
            if top in tops and not placeholder and not (ROOT / word).exists():
                missing.append(word)
        if re.fullmatch(r"[\w-]+\.md", text):
            missing += [] if (page.parent / text).exists() else [text]
    assert not missing


@every_page
def test_targets_of_make_that_are_named_exist(page: Path) -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = {
        match[1]
        for text in quoted(page)
        if (match := re.match(r"make ([a-z-]+)(?:$| [A-Z]+=)", text))
    }
    assert named <= set(targets)


# Commands and flags


Command = typer.core.TyperCommand | typer.core.TyperGroup


def commands(
    command: Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], set[str]]]:
    """Every command with its flags."""
    flags = {flag for parameter in command.params for flag in parameter.opts}
    yield path, flags | {"--help"}
    if isinstance(command, typer.core.TyperGroup):
        for name, sub in command.commands.items():
            assert isinstance(sub, Command)
            yield from commands(sub, (*path, name))


@pytest.fixture(scope="module")
def ours() -> dict[tuple[str, ...], set[str]]:
    """Flags by command; the root is `ohhell` itself."""
    root = typer.main.get_command(app)
    assert isinstance(root, Command)
    return dict(commands(root))


@pytest.fixture(scope="module")
def flags_of_bots() -> set[str]:
    helped = subprocess.run(
        [sys.executable, "-m", "bots", "random", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(FLAG.findall(helped.stdout))


@every_page
def test_commands_and_flags_that_are_named_exist(
    page: Path, ours: dict[tuple[str, ...], set[str]], flags_of_bots: set[str]
) -> None:
    anywhere = flags_of_bots.union(FOREIGN_FLAGS, *ours.values())
    for text in quoted(page):
        flags = set(FLAG.findall(text))
        typed = re.search(r"(?:^|/)ohhell ([a-z][a-z ]*)", text)
        if typed is None:
            assert flags <= anywhere, text
            continue
        words = tuple(typed[1].split())
        path = max((p for p in ours if p == words[: len(p)]), key=len)
        assert path, f"there is no command in {text!r}"
        assert flags <= ours[path], text


def test_the_settings_of_the_server_are_told_with_their_defaults(
    ours: dict[tuple[str, ...], set[str]],
) -> None:
    row = r"^\| `\[(\w+)\] (\w+)` \| `(\w+)` \|(.*?)\| `(.*?)` \|$"
    rows = re.findall(row, SERVING.read_text(), re.MULTILINE)
    config = Config()
    expected = []
    for section in SECTIONS:
        settings = getattr(config, section)
        for key in settings.__dataclass_fields__:
            variable = f"OHHELL_SERVER__{section}__{key}".upper()
            default = getattr(settings, key)
            text = str(default).lower() if isinstance(default, bool) else str(default)
            expected.append((section, key, variable, text))
    assert [(row[0], row[1], row[2], row[4]) for row in rows] == expected
    told = {flag for row in rows for flag in FLAG.findall(row[3])}
    assert told <= ours["serve",]


# Architecture and decisions


def test_every_import_contract_is_on_the_map() -> None:
    contracts = project(ROOT / "pyproject.toml")["tool"]["importlinter"]["contracts"]
    told = document("ARCHITECTURE.md").read_text()
    cells = re.findall(r"\| (contracts? `.*) \|$", told, re.MULTILINE)
    named = {word for cell in cells for word in re.findall(r"`([a-z-]+)`", cell)}
    assert named == {contract["id"] for contract in contracts}


def test_the_picture_is_the_same_wherever_it_is_shown() -> None:
    pictures = [
        block.text
        for name in ("README.md", "ARCHITECTURE.md")
        for block in blocks_of(document(name), "text")
        if "the wire, for every language" in block.text
    ]
    assert len(pictures) == 2
    assert pictures[0] == pictures[1]


def test_every_decision_is_in_the_index_and_no_number_is_left_out() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text()
    pages = sorted(folder.glob("[0-9]*.md"))
    for number, page in enumerate(pages, 1):
        assert page.name.startswith(f"{number:04}-")
        title = page.read_text().partition("\n")[0].removeprefix(f"# {number}. ")
        assert f"\n| {number} | [{title}]({page.name}) |" in index


# Looks


@every_page
def test_what_is_shown_as_typed_or_printed_fits_80_columns(page: Path) -> None:
    wide = [
        line
        for block in blocks_of(page)
        for line in block.text.splitlines()
        if len(line) > 80
    ]
    assert not wide


@every_page
def test_every_fence_is_a_block_with_a_language(page: Path) -> None:
    fences = re.findall(r"^```", page.read_text(), re.MULTILINE)
    assert len(fences) == 2 * len(blocks_of(page))


@every_page
def test_python_in_a_page_compiles(page: Path) -> None:
    for block in blocks_of(page, "python"):
        compile(block.text, name_of(page), "exec")


def test_standings_that_are_shown_have_the_columns_of_the_program() -> None:
    out = io.StringIO()
    Console(file=out, width=80).print(standings_table(standings([], ("a", "b", "c"))))
    columns = out.getvalue().split("\n")[0].split()
    shown = [
        (block.text.split("\n")[0].split(), block.file)
        for page in documents()
        for block in blocks_of(page, "text")
        if block.file
    ]
    assert len(shown) == 5 + len(STARTERS)
    for header, file in shown:
        assert header == columns, file


# Commands, run


def is_covered(page: Path, block: Block) -> bool:
    return (name_of(page), block.text.strip()) in COVERED_ELSEWHERE


def test_every_block_to_be_typed_is_run_or_covered() -> None:
    typed = {
        (name_of(page), block.text.strip())
        for page in documents()
        for block in blocks_of(page, "sh")
    }
    run_here = {name_of(page) for page in [*PAGES, SERVING]}
    left_over = {entry for entry in typed if entry[0] not in run_here}
    assert not left_over
    assert set(COVERED_ELSEWHERE) <= typed
    for file, run in COVERED_ELSEWHERE.values():
        assert run in (ROOT / file).read_text()


class Reader:
    """Types a page from top to bottom, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / ".venv").symlink_to(sys.prefix)
        path = f"{Path(sys.prefix) / 'bin'}{os.pathsep}{os.environ['PATH']}"
        self.environment = {**os.environ, "PATH": path, "NO_COLOR": "1"}
        self.printed = ""
        self._here = folder / ".here"
        """Where the folder is written down in which a block ended."""

    def read(self, page: Path) -> None:
        for block in blocks_of(page):
            match block.language:
                case "sh" if not is_covered(page, block):
                    self.type(block.text)
                case "python" | "toml" if block.file:
                    self.save(block)
                case "text" if (self.folder / block.file).is_file():
                    assert block.text in self.printed

    def save(self, block: Block) -> None:
        with (self.folder / block.file).open(
            "a" if block.language == "toml" else "w", encoding="utf-8"
        ) as file:
            file.write(block.text)

    def type(self, text: str) -> None:
        done = subprocess.run(
            ["sh", "-e", "-c", f"{text}\npwd > '{self._here}'"],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        self.printed = done.stdout
        self.folder = Path(self._here.read_text().strip())


@pytest.mark.parametrize("page", STARTERS)
def test_code_of_a_starter_that_a_page_shows_is_in_the_starter(page: str) -> None:
    sources = [
        file.read_text()
        for suffix in ("*.go", "*.h", "*.cpp", "src/*.rs", "src/*.ts", "src/**/*.java")
        for file in STARTERS[page].glob(suffix)
    ]
    shown = [
        block.text
        for language in ("cpp", "go", "java", "rust", "ts")
        for block in blocks_of(document(page), language)
    ]
    assert shown
    for text in shown:
        assert any(text in source for source in sources), text


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.clients)
        if name_of(page) in STARTERS
        else page
        for page in PAGES
    ],
    ids=name_of,
)
def test_a_page_does_what_it_says(page: Path, tmp_path: Path) -> None:
    Reader(tmp_path).read(page)


@pytest.mark.slow
def test_the_readme_shows_the_standings_of_the_demo(tmp_path: Path) -> None:
    (shown,) = [block for block in blocks_of(README, "text") if block.file]
    reader = Reader(tmp_path)
    reader.type(f"ohhell tournament run {ROOT / shown.file}")
    assert shown.text in reader.printed


def test_a_served_match_goes_as_the_page_says(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    serve, *later = blocks_of(SERVING, "sh")
    (announced,) = [b for b in blocks_of(SERVING, "text") if b.text.startswith("game")]
    command = serve.text.split()
    assert command[:2] == ["ohhell", "serve"]
    # The page says the usual ports, which may be taken here.
    with subprocess.Popen(
        [*command, "--game-port", "0", "--admin-port", "0", "--http-port", "0"],
        cwd=tmp_path,
        env=reader.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            where = [server.stdout.readline().split() for _ in range(3)]
            told = [line.split() for line in announced.text.splitlines()]
            assert [line[0] for line in where] == [line[0] for line in told]
            for block in blocks_of(SERVING, "python"):
                reader.save(block)
            printed = ""
            for block in later:
                reader.type(block.text.replace(told[0][1], where[0][1]))
                printed += reader.printed
            assert "final scores by seat:" in printed
            (limits,) = [
                block.text
                for block in blocks_of(SERVING, "text")
                if block.text.startswith("calls")
            ]
            assert limits in printed
            metrics = where[2][1]
            for path in re.findall(
                r"^\| `(/\w+)` \|", SERVING.read_text(), re.MULTILINE
            ):
                url = metrics.replace("/metrics", path)
                with urllib.request.urlopen(url) as answer:  # noqa: S310 - http, ours
                    assert answer.status == 200
        finally:
            server.terminate()
    assert server.returncode == 0


@pytest.mark.slow
def test_python_in_pages_is_well_typed(tmp_path: Path) -> None:
    for number, page in enumerate(documents()):
        for place, block in enumerate(blocks_of(page, "python")):
            (tmp_path / f"page{number}_{place}.py").write_text(block.text)
    files = sorted(str(file) for file in tmp_path.glob("*.py"))
    assert len(files) >= 5
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *files],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout
