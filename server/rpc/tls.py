"""Certificates of the listeners, read again when their files change.

New connections get the new certificate; open ones keep what they have. A pair of files
that does not fit, as it may be while they are being replaced, changes nothing.
"""

from __future__ import annotations

import os
import ssl
from dataclasses import dataclass
from pathlib import Path

import grpc
import structlog


class CertificateWrong(Exception):
    """The message names the file, and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class CertificateFiles:
    """PEM files: the chain of the service, its key, and who signs its clients'."""

    certificate: Path
    key: Path
    client_ca: Path | None = None
    """With it, clients need a certificate, too."""


class Certificates:
    """What TLS is spoken with."""

    def __init__(self, files: CertificateFiles) -> None:
        """CertificateWrong."""
        self._files = files
        self._seen = self._changed_at()
        self._content = self._read()

    def credentials(self) -> grpc.ServerCredentials:
        """For a port; asked again at every new connection."""
        return grpc.dynamic_ssl_server_credentials(
            self._configuration(),
            self._newest,  # type: ignore[arg-type]  # None is allowed, whatever its stub says
            require_client_authentication=self._files.client_ca is not None,
        )

    def _newest(self) -> grpc.ServerCertificateConfiguration | None:
        """None: the same as before."""
        log = structlog.get_logger("tls")
        try:
            changed_at = self._changed_at()
            if changed_at == self._seen:
                return None
            content = self._read()
        except CertificateWrong as wrong:
            log.warning("certificate not taken up", problem=str(wrong))
            return None
        self._seen = changed_at
        self._content = content
        log.info("certificate taken up", file=str(self._files.certificate))
        return self._configuration()

    def _configuration(self) -> grpc.ServerCertificateConfiguration:
        certificate, key, client_ca = self._content
        return grpc.ssl_server_certificate_configuration(
            [(key, certificate)], root_certificates=client_ca
        )

    def _paths(self) -> list[Path]:
        files = self._files
        return [
            path
            for path in (files.certificate, files.key, files.client_ca)
            if path is not None
        ]

    def _changed_at(self) -> tuple[tuple[int, int, int], ...]:
        """Differs once a file is another, or has been written to."""
        return tuple(
            (found.st_ino, found.st_mtime_ns, found.st_size)
            for found in map(_stat, self._paths())
        )

    def _read(self) -> tuple[bytes, bytes, bytes | None]:
        files = self._files
        try:
            # It checks that the key is the certificate's, which gRPC would not say.
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(files.certificate, files.key)
        except (ssl.SSLError, OSError) as error:
            raise CertificateWrong(
                f"{files.certificate} and {files.key} are no certificate with its key"
                f" ({error.strerror or error})"
            ) from None
        if files.client_ca is not None:
            try:
                context.load_verify_locations(files.client_ca)
            except (ssl.SSLError, OSError) as error:
                raise CertificateWrong(
                    f"{files.client_ca} holds no certificate ({error.strerror})"
                ) from None
        client_ca = files.client_ca
        return (
            files.certificate.read_bytes(),
            files.key.read_bytes(),
            client_ca.read_bytes() if client_ca is not None else None,
        )


def _stat(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except OSError as error:
        raise CertificateWrong(f"{path}: {error.strerror}") from None
