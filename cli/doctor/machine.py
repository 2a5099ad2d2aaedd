"""What this machine and this installation have, as far as the program needs it."""

from __future__ import annotations

import errno
import importlib
import platform
import re
import resource
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.bot.new.templates import languages
from cli.doctor.findings import Finding, note, ok, wrong
from cli.exits import told_by_system
from cli.runs import RUNS
from tournament.launcher import Confinement, IllegalConfinement

if TYPE_CHECKING:
    from server.config import Config

PROJECT: Final = Path(__file__).parents[2]
LEAST_PYTHON: Final = (3, 11)
FRONT_DOORS: Final = ("server.rpc.service", "tournament.run", "bots.local")
"""Modules that import, among them, everything that is needed."""
COMPILED_SUFFIX: Final = (".so", ".pyd")
LITTLE_SPACE: Final = 1 << 30
NO_SPACE: Final = 100 << 20
FEW_FILES: Final = 1_024
DAY_S: Final = 86_400


def look(config: Config) -> Iterator[Finding]:
    """Everything here, with the ports and the store that these settings name."""
    yield _python()
    yield _packages(PROJECT / "requirements.lock")
    yield _loading()
    yield _build()
    yield from _ports(config)
    yield from _folders(config)
    yield _open_files()
    yield _clock()
    yield _sandbox()
    yield _toolchains()


def _python() -> Finding:
    told = f"{platform.python_implementation()} {platform.python_version()}"
    if sys.version_info < LEAST_PYTHON:
        least = ".".join(map(str, LEAST_PYTHON))
        return wrong("python", told, f"use {least} or newer")
    return ok("python", f"{told}, {sys.executable}")


def _packages(lock: Path) -> Finding:
    """A copy of the project has a lock; an installed one has what its index gave."""
    if not lock.is_file():
        return ok("packages", "as installed; there is no lock beside the program")
    missing, other, same = [], [], 0
    for name, (locked, needed) in _locked(lock.read_text(encoding="utf-8")).items():
        try:
            installed = version(name)
        except PackageNotFoundError:
            missing += [name] * needed
            continue
        if installed in locked:
            same += 1
        else:
            other.append(f"{name} {installed} (locked: {' or '.join(locked)})")
    if missing:
        return wrong("packages", f"missing: {', '.join(missing)}", "make runtime")
    if other:
        return note("packages", "; ".join(other), "make runtime installs the locked")
    return ok("packages", f"{same}, each as in {lock.name}")


def _locked(text: str) -> dict[str, tuple[list[str], bool]]:
    """Versions by name, and whether the package is needed everywhere."""
    found: dict[str, tuple[list[str], bool]] = {}
    for name, locked, rest in re.findall(
        r"^([\w.-]+)(?:\[.*\])?==([^ ;\\]+)(.*)$", text, re.MULTILINE
    ):
        versions, _ = found.get(name, ([], True))
        found[name] = ([*versions, locked], ";" not in rest)
    return found


def _loading() -> Finding:
    """Packages with machine code may be there, and yet not fit this machine."""
    for module in FRONT_DOORS:
        try:
            importlib.import_module(module)
        except (ImportError, OSError, RuntimeError) as error:
            return wrong(
                "imports",
                f"{module} does not load: {error}",
                "install again, for this machine and this Python",
            )
    return ok("imports", "all packages load")


def _build() -> Finding:
    """Which of the two builds of the same source runs."""
    files = {
        name: importlib.import_module(name).__file__ or ""
        for name in ("engine.deal", "server.table")
    }
    compiled = [name for name, file in files.items() if file.endswith(COMPILED_SUFFIX)]
    if len(compiled) == len(files):
        return ok("build", "engine and service are compiled")
    if compiled:
        return ok("build", "the engine is compiled, the service is Python")
    return ok("build", "Python throughout; an image from `make image` is compiled")


def _ports(config: Config) -> Iterator[Finding]:
    listeners = [("game", config.game.address, config.game.port, "--game-port")]
    if config.admin.enabled:
        listeners.append(
            ("admin", config.admin.address, config.admin.port, "--admin-port")
        )
    if config.http.enabled:
        listeners.append(("http", config.http.address, config.http.port, "--http-port"))
    for name, address, port, flag in listeners:
        check = f"{name} port"
        where = f"{address}:{port}"
        trouble = _trouble_binding(address, port)
        if trouble is None:
            yield ok(check, f"{where} is free")
        elif trouble.errno == errno.EADDRINUSE:
            yield note(
                check,
                f"{where} is taken, perhaps by a service that runs already",
                f"to serve beside it: ohhell serve {flag} 0 takes a free port",
            )
        else:
            yield wrong(
                check,
                f"{where} cannot be listened on: {told_by_system(trouble)}",
                "name an address of this machine, and a port above 1023",
            )


def _trouble_binding(address: str, port: int) -> OSError | None:
    try:
        (family, kind, _, _, place), *_ = socket.getaddrinfo(
            address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as error:
        return error
    return None


def _folders(config: Config) -> Iterator[Finding]:
    """Where tables and runs are kept, and whether there is room for them."""
    folders = {"runs": RUNS.absolute()}
    where = config.store.where
    if where and "://" not in where:
        folders["store"] = Path(where).absolute().parent
    there = {name: _nearest(folder) for name, folder in folders.items()}
    for name, folder in there.items():
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(b"x")
        except OSError as error:
            yield wrong(
                name,
                f"{folder} cannot be written to: {error.strerror}",
                "make it writable, or work in another folder",
            )
        else:
            yield ok(name, f"{folder} can be written to")
    for folder in dict.fromkeys(there.values()):
        yield _space(folder, shutil.disk_usage(folder).free)


def _nearest(folder: Path) -> Path:
    """The folder, or the one in which it would be made."""
    while not folder.is_dir():
        folder = folder.parent
    return folder


def _space(folder: Path, free: int) -> Finding:
    told = f"{free / (1 << 30):.1f} GiB free in {folder}"
    if free < NO_SPACE:
        return wrong("disk", told, "make room: nothing is accepted on a full disk")
    if free < LITTLE_SPACE:
        return note("disk", told, "make room before a long tournament")
    return ok("disk", told)


def _open_files() -> Finding:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return ok("open files", "without limit")
    told = f"{soft:,} at the same time: each connection and bot process takes some"
    if soft < FEW_FILES:
        most = "unlimited" if hard == resource.RLIM_INFINITY else hard
        return note("open files", told, f"ulimit -n {most}")
    return ok("open files", told)


def _clock() -> Finding:
    """Certificates and tokens end by the clock; decisions go by another one."""
    now = time.time()
    told = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(now))
    if now < Path(__file__).stat().st_mtime - DAY_S:
        return wrong(
            "clock",
            f"{told}, which is before this program was installed",
            "set the clock: certificates and tokens are judged by it",
        )
    return ok("clock", told)


def _sandbox() -> Finding:
    """Whether bubblewrap could give bot processes namespaces of their own."""
    try:
        Confinement(bubblewrap=True).check()
    except IllegalConfinement as error:
        return note(
            "sandbox",
            str(error),
            "run only bots that you trust; their isolation is told at every run",
        )
    return ok("sandbox", "bubblewrap = true under [confinement] of a spec can be had")


def _toolchains() -> Finding:
    """Which languages of `ohhell bot new` could be built."""
    lacking = {}
    ready = []
    for language, template in languages().items():
        missing = [tool for tool in template.tools if shutil.which(tool) is None]
        if missing:
            lacking[language] = f"{language} ({', '.join(missing)})"
        else:
            ready.append(language)
    told = f"ready for bots in {', '.join(ready)}"
    if lacking:
        return note(
            "toolchains",
            f"{told}; missing for {', '.join(lacking.values())}",
            "install what a language needs before: ohhell bot new --lang LANGUAGE",
        )
    return ok("toolchains", told)
