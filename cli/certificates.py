"""A small certificate authority, for trying TLS out and for small circles."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

CA_DAYS = 3_650
CLOCKS_DIFFER = timedelta(hours=1)
"""A certificate is valid a little earlier than it was made."""


class AuthorityWrong(Exception):
    """The message names the file and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Authority:
    """Signs certificates."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    def server(self, names: Sequence[str], days: int) -> tuple[bytes, bytes]:
        """Certificate and key, in PEM, of a service that is reached by these names."""
        return self._signed(
            names[0],
            [_general_name(name) for name in names],
            purpose=ExtendedKeyUsageOID.SERVER_AUTH,
            days=days,
        )

    def client(self, name: str, days: int) -> tuple[bytes, bytes]:
        """Certificate and key, in PEM, of somebody who calls."""
        return self._signed(
            name,
            [x509.DNSName(name)],
            purpose=ExtendedKeyUsageOID.CLIENT_AUTH,
            days=days,
        )

    def _signed(
        self,
        subject: str,
        names: Sequence[x509.GeneralName],
        *,
        purpose: x509.ObjectIdentifier,
        days: int,
    ) -> tuple[bytes, bytes]:
        key = _new_key()
        certificate = (
            _builder(subject, self.certificate.subject, key, days)
            .add_extension(
                x509.BasicConstraints(ca=False, path_length=None), critical=True
            )
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
            .add_extension(_authority_of(self.key), critical=False)
            .sign(self.key, hashes.SHA256())
        )
        return _pem(certificate), _key_pem(key)


def new_authority() -> Authority:
    """An authority that signs nothing but the certificates of services and callers."""
    key = _new_key()
    subject = _name("Oh Hell authority")
    usage = x509.KeyUsage(
        digital_signature=True,
        key_cert_sign=True,
        crl_sign=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
    certificate = (
        _builder("Oh Hell authority", subject, key, CA_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(
            x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    return Authority(certificate, key)


def read_authority(certificate: Path, key: Path) -> Authority:
    """An authority from its files; AuthorityWrong, OSError."""
    try:
        found = x509.load_pem_x509_certificate(certificate.read_bytes())
        secret = serialization.load_pem_private_key(key.read_bytes(), None)
    except (ValueError, TypeError):
        raise AuthorityWrong(
            f"{certificate} and {key} are no authority of `ohhell cert new`"
        ) from None
    if (
        not isinstance(secret, ec.EllipticCurvePrivateKey)
        or found.public_key() != secret.public_key()
    ):
        raise AuthorityWrong(f"{key} is not the key of {certificate}")
    return Authority(found, secret)


def write_pair(
    folder: Path, name: str, certificate: bytes, key: bytes
) -> tuple[Path, Path]:
    """NAME.pem and NAME-key.pem, each put in place whole; the key is private."""
    files = (folder / f"{name}.pem", folder / f"{name}-key.pem")
    for path, content, mode in zip(
        files, (certificate, key), (0o644, 0o600), strict=True
    ):
        new = path.with_name(path.name + ".new")
        new.unlink(missing_ok=True)
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        new.replace(path)
    return files


def authority_pem(authority: Authority) -> tuple[bytes, bytes]:
    """Certificate and key."""
    return _pem(authority.certificate), _key_pem(authority.key)


def _builder(
    subject: str, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCKS_DIFFER)
        .not_valid_after(now + timedelta(days=days))
    )


def _authority_of(key: ec.EllipticCurvePrivateKey) -> x509.AuthorityKeyIdentifier:
    return x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key())


def _new_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def _name(text: str) -> x509.Name:
    # A common name has at most 64 characters; nobody looks at this one.
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:64])])


def _general_name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
