"""The files that encryption needs, read and checked before anything is started."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import NamedTuple

from ohhell_bot.errors import SettingsError
from ohhell_bot.settings import Settings


class Pair(NamedTuple):
    """A certificate with its key, in PEM."""

    key: bytes
    certificate: bytes


def pair_of(settings: Settings) -> Pair | None:
    """What is shown to the other end; SettingsError where the two do not fit."""
    certificate, key = settings.certificate, settings.key
    if certificate is None or key is None:
        return None
    try:
        # It checks that the key is the certificate's, which gRPC would not say. Without
        # a password it would ask the terminal for one.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(
            certificate, key, password=""
        )
        return Pair(key.read_bytes(), certificate.read_bytes())
    except OSError as error:
        raise SettingsError(
            f"{certificate} and {key} are no certificate with its key"
            f" ({error.strerror or error})"
        ) from None


def authorities_in(file: Path) -> bytes:
    """Certificates to trust, in PEM; SettingsError where there are none."""
    try:
        ssl.create_default_context(cafile=file)
        return file.read_bytes()
    except ssl.SSLError:
        raise SettingsError(f"{file} holds no certificate") from None
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror}") from None
