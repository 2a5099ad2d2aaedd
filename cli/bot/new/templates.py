"""The languages of `ohhell bot new`: a folder of files each, and what is to be done.

`template.toml` in the folder says what the project is. Its files come from the folder,
from those it `includes`, and from a `starter`, which is a project inside this one; that
and `library` need a copy of the whole project, not an installed one.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent / "templates"
PROJECT: Final = Path(__file__).parents[3]
ABOUT: Final = "template.toml"
FOR_ALL: Final = "any-language"
MADE: Final = {
    *("node_modules", "dist", "target", "build", "__pycache__"),
    *(".gradle", "package-lock.json", ABOUT),
}
"""Files and folders that are made, not written, or are not part of the project."""
LONGEST_NAME: Final = 63


class CannotMake(Exception):
    """The project cannot be written; the message says why, and what would be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """What is different in a starter that is not where it was."""

    file: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """One language."""

    language: str
    title: str
    command: tuple[str, ...]
    """What a tournament starts."""
    needs: str = ""
    """In words, for people."""
    tools: tuple[str, ...] = ()
    """Programs on the PATH that building and testing take."""
    protocol: str = "grpc"
    includes: tuple[str, ...] = ()
    starter: str = ""
    library: str = ""
    page: str = ""
    """What tells all that a bot sees and may say; without it, the library's."""
    build: tuple[str, ...] = ()
    test: tuple[str, ...] = ()
    replace: tuple[Replacement, ...] = ()

    def write(self, folder: Path) -> None:
        """Writes a project into a folder that is not there yet; CannotMake, OSError."""
        sources = [FOLDER / FOR_ALL, *[FOLDER / name for name in self.includes]]
        if self.starter:
            sources.append(self._of_project(self.starter))
        sources.append(FOLDER / self.language)
        library = self._of_project(self.library) if self.library else None
        folder.mkdir(parents=True)
        for source in sources:
            for file in _files(source):
                target = folder / file.relative_to(source)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, target)
        words = self._words(name_of(folder), library)
        for file in _files(FOLDER / FOR_ALL):
            _rewrite(folder / file.name, words)
        for change in self.replace:
            _rewrite(folder / change.file, {change.old: change.new} | words)

    def commands(self, folder: str) -> list[str]:
        """What is typed from here to the end of a first tournament."""
        run = "ohhell tournament run tournament.toml"
        return [f"cd {shlex.quote(folder)}", *self.build, run]

    def _words(self, name: str, library: Path | None) -> dict[str, str]:
        needs = f" It needs {self.needs}." if self.needs else ""
        check = ["ohhell", "bot", "check"]
        if self.protocol != "grpc":
            check += ["--protocol", self.protocol]
        typed = [*self.build, *self.test, *self.commands("")[-1:]]
        return {
            "@NAME@": name,
            "@TITLE@": self.title,
            "@NEEDS@": needs,
            "@COMMANDS@": "\n".join(typed),
            "@CHECK@": shlex.join([*check, "--", *self.command]),
            "@COMMAND@": json.dumps(list(self.command)),
            "@PROTOCOL@": self.protocol,
            "@LIBRARY@": str(library or ""),
            "@PAGE@": _told_in(self.page or f"{self.library}/README.md"),
        }

    def _of_project(self, path: str) -> Path:
        found = PROJECT / path
        if not found.is_dir():
            raise CannotMake(
                f"{self.title}: there is no {found}; this language needs a copy of the"
                " whole project, from which `ohhell` runs"
            )
        return found


def languages() -> dict[str, Template]:
    """The templates by language."""
    found = {}
    for about in sorted(FOLDER.glob(f"*/{ABOUT}")):
        keys = tomllib.loads(about.read_text(encoding="utf-8"))
        replace = tuple([Replacement(**change) for change in keys.pop("replace", [])])
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in keys.items()
        }
        language = about.parent.name
        found[language] = Template(language=language, replace=replace, **values)
    return found


def _told_in(page: str) -> str:
    """Where a reader finds a page of the project; an installed one has none."""
    there = PROJECT / page
    return str(there) if there.is_file() else f"{page} of the project"


def name_of(folder: Path) -> str:
    """A name for the bot and its tournament."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", folder.absolute().name)
    return name[:LONGEST_NAME].strip("-") or "mybot"


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name in MADE:
            continue
        if path.is_dir():
            yield from _files(path)
        else:
            yield path


def _rewrite(file: Path, words: dict[str, str]) -> None:
    text = file.read_text(encoding="utf-8")
    for old, new in words.items():
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")
