"""Where somebody listens who is called, whom to trust there, and what to show."""

from __future__ import annotations

import re
import ssl
from dataclasses import dataclass, field
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
    """Calls are encrypted, to those with a certificate that one of these has signed."""

    authorities: bytes | None = None
    """In PEM; None: those that this machine trusts."""

    @classmethod
    def read(cls, path: Path) -> Trust:
        """Those of a file; OSError, without a file name where it holds none."""
        pem = path.read_bytes()
        ssl.create_default_context(cafile=path)
        return cls(pem)


class NoPair(Exception):
    """The message names the files and what is wrong with them."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A certificate that a caller shows, and its key, in PEM."""

    certificate: bytes
    key: bytes = field(repr=False)

    @classmethod
    def read(cls, certificate: Path, key: Path) -> Identity:
        """NoPair."""
        try:
            found = cls(certificate.read_bytes(), key.read_bytes())
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(
                certificate, key, password=_no_password
            )
        except ssl.SSLError:
            raise NoPair(
                f"{certificate} and {key} are no certificate with its key, in PEM"
            ) from None
        except OSError as error:
            raise NoPair(f"{error.filename}: {error.strerror}") from None
        except _Encrypted:
            raise NoPair(
                f"{key}: it is protected by a password, take that off"
            ) from None
        return found


class _Encrypted(Exception):
    """A key asks for a password."""


def _no_password() -> str:
    raise _Encrypted
