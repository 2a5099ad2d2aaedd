"""How a bot process is told where to go: flags, over `OHHELL_BOT_*`, over defaults."""

from __future__ import annotations

import argparse
import difflib
import ipaddress
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from ohhell_bot.errors import SettingsError

PREFIX: Final = "OHHELL_BOT_"
MAX_WORKERS: Final = 4096


class OnError(StrEnum):
    """What follows when a bot's own code raises."""

    CONCEDE = "concede"
    """The table learns at once that there is no answer; the other tables go on."""
    STOP = "stop"
    """The process ends with exit status 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """`workers` prompts are open at once; `threads` run them, none: the event loop."""

    address: str = "127.0.0.1:50051"
    token: str = field(default="", repr=False)
    tls: bool = False
    ca_file: Path | None = None
    instance: str = field(default_factory=lambda: secrets.token_hex(8))
    lane: int = 0
    workers: int = 1
    threads: int = 0
    patience_s: int = 600
    log: str = "info"
    on_error: OnError = OnError.CONCEDE
    serve: str = ""
    """Where to wait for calls instead of making one; empty: nowhere."""
    expose: bool = False
    certificate: Path | None = None
    """Shown to the service, or with `serve` to whoever calls; with its key."""
    key: Path | None = field(default=None, repr=False)


class _Setting(NamedTuple):
    """One thing that may be set: flag `--some-thing`, variable `..SOME_THING`."""

    field: str
    parse: Callable[[str], object]
    help: str
    is_flag: bool = True

    @property
    def variable(self) -> str:
        return PREFIX + self.field.upper()

    @property
    def flag(self) -> str:
        return "--" + self.field.replace("_", "-")


def _text(value: str) -> str:
    if not value.strip():
        raise ValueError("it is empty")
    return value.strip()


def _address(value: str, least_port: int = 1) -> str:
    host, colon, port = value.strip().rpartition(":")
    if not (host and colon and port.isdigit() and least_port <= int(port) < 65536):
        raise ValueError(f"{value!r} is not HOST:PORT")
    return value.strip()


def _own_address(value: str) -> str:
    """Port 0 takes a free one."""
    return _address(value, least_port=0)


def _between(low: int, high: int) -> Callable[[str], int]:
    def parse(value: str) -> int:
        if not (value.isdecimal() and low <= int(value) <= high):
            raise ValueError(f"{value!r} is not a whole number {low}..{high}")
        return int(value)

    return parse


def _one_of(*words: str) -> Callable[[str], str]:
    def parse(value: str) -> str:
        if value.lower() not in words:
            raise ValueError(f"{value!r} is none of {', '.join(words)}")
        return value.lower()

    return parse


def _yes_or_no(value: str) -> bool:
    return _one_of("on", "off")(value) == "on"


def _file(value: str) -> Path:
    path = Path(value)
    if not path.is_file():
        raise ValueError(f"there is no file {value}")
    try:
        path.open("rb").close()
    except OSError as error:
        raise ValueError(f"cannot read {value}: {error.strerror}") from None
    return path


def _token_in(value: str) -> str:
    try:
        return _text(_file(value).read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ValueError(f"{value} is not text, and so no token") from None


def _token_from(value: str) -> str:
    descriptor = _between(0, 65535)(value)
    try:
        with os.fdopen(descriptor, encoding="utf-8") as pipe:
            return _text(pipe.read())
    except OSError as error:
        raise ValueError(f"cannot read from {value}: {error.strerror}") from None


_SETTINGS: Final = (
    _Setting("address", _address, "where the service listens, HOST:PORT"),
    # A token in a flag could be read by every user of the machine.
    _Setting("token", _text, "the bot's token", is_flag=False),
    _Setting("token_file", _token_in, "file that holds the bot's token"),
    _Setting("token_fd", _token_from, "descriptor from which to read the token once"),
    _Setting("tls", _yes_or_no, "on: encrypt, and check the service's certificate"),
    _Setting("ca_file", _file, "certificates to trust, PEM; turns TLS on"),
    _Setting("instance", _text, "name of this process among those of the bot"),
    _Setting("lane", _between(0, 255), "lane this process plays"),
    _Setting("workers", _between(1, MAX_WORKERS), "prompts to have open at once"),
    _Setting("threads", _between(0, 256), "threads to think in; 0: the event loop"),
    _Setting("patience_s", _between(1, 86_400), "seconds to try to reach the service"),
    _Setting("log", _one_of("error", "warning", "info", "debug"), "how much to log"),
    _Setting("on_error", _one_of(*OnError), "when the bot's own code raises"),
    _Setting("serve", _own_address, "wait at HOST:PORT for the service to call"),
    _Setting("certificate", _file, "chain to show to the other end, PEM; encrypts"),
    _Setting("key", _file, "the key of that certificate, PEM"),
    _Setting("expose", _yes_or_no, "on: other machines may call, unencrypted"),
)
_TOKENS: Final = ("token", "token_file", "token_fd")


def read_settings(
    arguments: Sequence[str], environment: Mapping[str, str], **defaults: object
) -> Settings:
    """SettingsError for anything unknown, malformed or contradictory."""
    fields = dict(defaults)
    fields |= _one_token(_parsed(_words_of(environment)))
    fields |= _one_token(_parsed(_words_in(arguments)))
    if fields.get("ca_file") or fields.get("certificate"):
        fields["tls"] = True
    if "on_error" in fields:
        fields["on_error"] = OnError(str(fields["on_error"]))
    settings = Settings(**fields)  # type: ignore[arg-type]  # each was parsed for its field
    _check_encryption(settings)
    return settings


def _check_encryption(settings: Settings) -> None:
    if (settings.certificate is None) != (settings.key is None):
        raise SettingsError("--certificate and --key: give both, or neither")
    encrypted = settings.certificate is not None
    if not (
        encrypted or settings.expose or _is_loopback(settings.serve or "localhost:0")
    ):
        raise SettingsError(
            f"--serve {settings.serve}: other machines could call the bot, and nothing"
            " is encrypted; give --certificate and --key, or add --expose on"
        )


def _is_loopback(address: str) -> bool:
    host = address.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _words_of(environment: Mapping[str, str]) -> list[tuple[_Setting, str, str]]:
    """Settings with what they are called and their text."""
    known = {setting.variable: setting for setting in _SETTINGS}
    words = []
    for variable in sorted(environment):
        if not variable.startswith(PREFIX):
            continue
        if variable not in known:
            raise SettingsError(_unknown(variable, list(known)))
        words.append((known[variable], variable, environment[variable]))
    return words


def _unknown(variable: str, known: list[str]) -> str:
    near = difflib.get_close_matches(variable, known, n=1)
    meant = f"; did you mean {near[0]}?" if near else f": known are {', '.join(known)}"
    return f"{variable} is not a setting of a bot{meant}"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]  # raises instead
        raise SettingsError(message)


def _words_in(arguments: Sequence[str]) -> list[tuple[_Setting, str, str]]:
    parser = _Parser(
        allow_abbrev=False,
        description="Plays for one bot until the service goes away.",
        epilog=f"Every flag is also a variable, as in {PREFIX}ADDRESS; the token may be"
        f" given in {PREFIX}TOKEN.",
    )
    flags = [setting for setting in _SETTINGS if setting.is_flag]
    for setting in flags:
        parser.add_argument(
            setting.flag, dest=setting.field, help=setting.help, metavar="X"
        )
    values = vars(parser.parse_args(list(arguments)))
    return [
        (setting, setting.flag, values[setting.field])
        for setting in flags
        if values[setting.field] is not None
    ]


def _parsed(words: list[tuple[_Setting, str, str]]) -> dict[str, object]:
    parsed = {}
    for setting, called, text in words:
        try:
            parsed[setting.field] = setting.parse(text)
        except ValueError as error:
            raise SettingsError(f"{called}: {error}") from None
    return parsed


def _one_token(parsed: dict[str, object]) -> dict[str, object]:
    """The same with the token, however it was given, under `token`."""
    tokens = [name for name in _TOKENS if name in parsed]
    if len(tokens) > 1:
        raise SettingsError(f"give the token once, not as {' and '.join(tokens)}")
    rest = {name: value for name, value in parsed.items() if name not in _TOKENS}
    for name in tokens:
        rest["token"] = parsed[name]
    return rest
