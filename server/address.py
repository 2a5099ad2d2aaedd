"""Where a bot that is a server listens, and what the calls to it are encrypted with."""

from __future__ import annotations

import re
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

_ADDRESS = re.compile(r"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})")


class Address(NamedTuple):
    """A name or number, and a port; none of the schemes that gRPC knows beside."""

    host: str
    port: int

    @classmethod
    def of(cls, text: str) -> Address:
        """ValueError where it is not HOST:PORT."""
        found = _ADDRESS.fullmatch(text)
        if found is None or not 0 < int(found[2]) < 65536:
            raise ValueError(f"{text!r} is not HOST:PORT")
        return cls(found[1].strip("[]"), int(found[2]))

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Trust:
    """Calls are encrypted, to bots with a certificate that one of these has signed."""

    authorities: bytes | None = None
    """In PEM; None: those that this machine trusts."""

    @classmethod
    def read(cls, path: Path) -> Trust:
        """Those of a file; OSError where it has none."""
        ssl.create_default_context(cafile=path)
        return cls(path.read_bytes())
