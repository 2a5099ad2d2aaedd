"""Settings of the server: defaults < TOML file < environment < flags.

A setting is a field of a section. In a file it stands in a table of that name, in the
environment it is OHHELL_SERVER__SECTION__KEY. Whatever is not a setting is refused
with the nearest name that is one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any

from server.limits import Limits
from server.patience import Patience

PREFIX = "OHHELL_SERVER__"
MOST = 86_400_000
"""The largest number: a day in milliseconds."""
MOST_PORT = 65_535
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class Auth(StrEnum):
    """Whether callers need a token of a bot."""

    OFF = "off"
    ON = "on"


class Level(StrEnum):
    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Durability(StrEnum):
    """What an acknowledged action survives."""

    PROCESS = "process"
    """The end of the process, by whatever signal."""
    POWER = "power"
    """The end of the machine."""


class SettingsWrong(Exception):
    """The message names the setting, where it stands, and what would be right."""


@dataclass(frozen=True, slots=True)
class Game:
    """The listener for bots and people."""

    address: str = "127.0.0.1"
    port: int = 50051
    auth: Auth = Auth.OFF
    allow_insecure: bool = False
    """Whether it may listen beyond this machine without TLS or without tokens."""
    client_ca: str = ""
    """File of who signs clients' certificates; with it they need one, and a token."""


@dataclass(frozen=True, slots=True)
class Admin:
    """The listener for operators."""

    enabled: bool = True
    address: str = "127.0.0.1"
    port: int = 50052
    client_ca: str = ""
    """File of who signs operators' certificates; with it TLS is spoken here, too."""
    access_file: str = ""
    """Where the operator's token is put; empty: beside the store."""


@dataclass(frozen=True, slots=True)
class Tls:
    """PEM files of the service's certificate, both or none."""

    certificate: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Http:
    """The listener for metrics and probes."""

    enabled: bool = True
    address: str = "127.0.0.1"
    port: int = 9464


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Where served tables are kept: a file, a database URL, or nowhere if empty."""

    where: str = "ohhell.db"
    durability: Durability = Durability.PROCESS
    keep_ended_days: int = 0
    """Days after which an ended table is removed; 0: never."""


@dataclass(frozen=True, slots=True)
class Log:
    level: Level = Level.INFO


@dataclass(frozen=True, slots=True)
class Shutdown:
    """How long a stopping server waits for tables, in seconds."""

    grace_s: int = 30


Section = Game | Admin | Tls | Http | Limits | StoreSettings | Log | Shutdown | Patience


@dataclass(frozen=True, slots=True)
class Config:
    """All settings."""

    game: Game = field(default_factory=Game)
    admin: Admin = field(default_factory=Admin)
    tls: Tls = field(default_factory=Tls)
    http: Http = field(default_factory=Http)
    store: StoreSettings = field(default_factory=StoreSettings)
    log: Log = field(default_factory=Log)
    shutdown: Shutdown = field(default_factory=Shutdown)
    patience: Patience = field(default_factory=Patience)
    limits: Limits = field(default_factory=Limits)

    @property
    def access_file(self) -> Path:
        """Where the operator's token is put."""
        return Path(self.admin.access_file or access_file_of(self.store.where))


def access_file_of(store: str) -> str:
    """Where a service with this store puts the operator's token."""
    return "ohhell.admin" if not store or "://" in store else f"{store}.admin"


SECTIONS = tuple(section.name for section in fields(Config))


def load(
    file: Path | None,
    environment: Mapping[str, str],
    flags: Mapping[str, Mapping[str, object]],
) -> Config:
    """Settings from all sources; SettingsWrong. A flag of None was not given."""
    config = Config()
    if file is not None:
        config = _with(config, _from_file(file), str(file))
    config = _with(config, _from_environment(environment), "environment")
    given = {
        section: {key: value for key, value in values.items() if value is not None}
        for section, values in flags.items()
    }
    config = _with(config, given, "flags")
    _check_exposure(config)
    return config


def _from_file(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as toml:
            return tomllib.load(toml)
    except OSError as error:
        raise SettingsWrong(f"{file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        # Also what is no text, or nested beyond all measure.
        raise SettingsWrong(f"{file}: is not TOML: {error}") from None


def _from_environment(environment: Mapping[str, str]) -> dict[str, dict[str, str]]:
    settings: dict[str, dict[str, str]] = {}
    for name, value in sorted(environment.items()):
        if name.startswith(PREFIX):
            section, found, key = name.removeprefix(PREFIX).partition("__")
            if not found:
                raise SettingsWrong(f"{name}: the form is {PREFIX}SECTION__KEY")
            settings.setdefault(section.lower(), {})[key.lower()] = value
    return settings


def _with(config: Config, settings: Mapping[str, Any], where: str) -> Config:
    for name, values in settings.items():
        if name not in SECTIONS:
            raise SettingsWrong(f"{where}: {_unknown('section', name, SECTIONS)}")
        if not isinstance(values, Mapping):
            raise SettingsWrong(f"{where}: {name} is a table of settings")
        section = getattr(config, name)
        changes = dict(_changes(name, section, values, where))
        config = replace(config, **{name: replace(section, **changes)})
    return config


def _changes(
    name: str, section: Section, values: Mapping[str, Any], where: str
) -> Iterator[tuple[str, object]]:
    known = {
        setting.name: getattr(section, setting.name) for setting in fields(section)
    }
    for key, value in values.items():
        if key not in known:
            raise SettingsWrong(
                f"{where}: {_unknown('setting', key, tuple(known))} in {name}"
            )
        try:
            yield key, _read(known[key], value, MOST_PORT if key == "port" else MOST)
        except ValueError as error:
            raise SettingsWrong(f"{where}: {name}.{key} = {value!r}: {error}") from None


def _read(default: object, value: object, most: int) -> object:
    """The value in the default's type; text is read, because variables are text."""
    match default:
        case bool():
            if isinstance(value, bool):
                return value
            if value in ("true", "false"):
                return value == "true"
            raise ValueError("true or false")
        case int():
            number = _whole(value)
            if not 0 <= number <= most:
                raise ValueError(f"0..{most}")
            return number
        case StrEnum():
            kind = type(default)
            try:
                return kind(str(value))
            except ValueError:
                raise ValueError(" or ".join(kind)) from None
        case _ if isinstance(value, str):
            return value
        case _:
            raise ValueError("text")


def _whole(value: object) -> int:
    if type(value) is int:
        return value
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    raise ValueError("a whole number")


def _unknown(what: str, name: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(name, known, n=1, cutoff=0.0)
    hint = f"; the nearest is {near[0]!r}" if near else ""
    return f"there is no {what} {name!r}{hint}"


def _check_exposure(config: Config) -> None:
    """What others can reach speaks TLS and asks who they are."""
    game, admin, tls = config.game, config.admin, config.tls
    if bool(tls.certificate) != bool(tls.key):
        raise SettingsWrong("tls.certificate and tls.key go together: set both")
    for name, client_ca in (("game", game.client_ca), ("admin", admin.client_ca)):
        if client_ca and not tls.certificate:
            raise SettingsWrong(
                f"{name}.client_ca = {client_ca!r} needs tls.certificate and tls.key"
            )
    guarded = bool(tls.certificate) and game.auth is Auth.ON
    if game.address not in LOOPBACK and not (guarded or game.allow_insecure):
        raise SettingsWrong(
            f"game.address = {game.address!r} lets others in without TLS, or without"
            ' tokens: set tls.certificate, tls.key and auth = "on", listen on'
            " 127.0.0.1, or say --allow-insecure if that is meant"
        )
    if admin.enabled and admin.address not in LOOPBACK and not admin.client_ca:
        raise SettingsWrong(
            f"admin.address = {admin.address!r} lets others in: operators elsewhere"
            " need certificates, so set admin.client_ca, or listen on 127.0.0.1"
        )
