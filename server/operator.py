"""How operators reach a service: a small TOML file, which only its owner may read.

A running service keeps one beside its store, with a token that it has made for itself.
For a service elsewhere people write one, with a token or the files of a certificate.
"""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self


class AccessWrong(Exception):
    """The message names the file and what is wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Where the admin listener is, and what to show there."""

    address: str
    token: str = ""
    ca_file: str = ""
    """Who signed the certificate of the service."""
    certificate_file: str = ""
    """Shown to the service, with its key; TLS is spoken if this or `ca_file` is set."""
    key_file: str = ""

    def write(self, path: Path) -> None:
        """In place of what is there; OSError."""
        text = "".join(
            f"{name.name} = {json.dumps(getattr(self, name.name))}\n"
            for name in fields(self)
            if getattr(self, name.name)
        )
        new = path.with_name(path.name + ".new")
        new.unlink(missing_ok=True)
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        new.replace(path)

    @classmethod
    def read(cls, path: Path) -> Self:
        """What a file says; paths in it are beside it. AccessWrong."""
        try:
            found = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise AccessWrong(f"{path}: {error.strerror}") from None
        except ValueError as error:
            raise AccessWrong(f"{path}: is not TOML: {error}") from None
        known = {name.name for name in fields(cls)}
        wrong = [
            key
            for key, value in found.items()
            if key not in known or not isinstance(value, str)
        ]
        if wrong or "address" not in found:
            raise AccessWrong(
                f"{path}: it holds address and, as text, some of"
                f" {', '.join(sorted(known - {'address'}))}"
            )
        if ("certificate_file" in found) != ("key_file" in found):
            raise AccessWrong(
                f"{path}: certificate_file and key_file: give both, or neither"
            )
        for key in ("ca_file", "certificate_file", "key_file"):
            if found.get(key):
                found[key] = str(path.parent / found[key])
        return cls(**found)
