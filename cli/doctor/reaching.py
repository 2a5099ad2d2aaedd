"""How far a connection to an address gets: its name, TCP, encryption, HTTP/2.

Plain sockets, because gRPC calls all of it UNAVAILABLE.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cli.doctor.findings import Finding, note, ok, wrong
from server.address import Address

PATIENCE_S: Final = 5.0
SERVE: Final = "ohhell serve --address HOST --game-port N"
SETTINGS_FRAME: Final = 4
FRAME_HEAD: Final = 9
GREETING: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(
    [0, 0, 0, SETTINGS_FRAME, 0, 0, 0, 0, 0]
)
"""What a client of HTTP/2 says first: the preface and its (empty) settings."""
SOON_DAYS: Final = 14
DAY_S: Final = 86_400

NOT_YET_VALID, EXPIRED = 9, 10
UNKNOWN_SIGNERS: Final = frozenset({18, 19, 20, 21})
OTHER_NAMES: Final = frozenset({62, 64})
"""Codes of OpenSSL's verification: X509_V_ERR_*."""


@dataclass(frozen=True, slots=True)
class Encryption:
    """How to encrypt: whom to trust, in PEM (None: whom this machine trusts), and the
    files of the certificate to show and its key.
    """

    authorities: str | None = None
    identity: tuple[Path, Path] | None = None


def reach(
    address: Address, encryption: Encryption | None, now: float
) -> Iterator[Finding]:
    """Stage by stage, up to the first that is wrong; `now` is Unix time."""
    named = _name(address)
    yield named
    if named.remedy:
        return
    connected = _connect(address)
    yield connected
    if connected.remedy:
        return
    if encryption is None:
        yield _plain(address)
    else:
        yield from _encrypted(address, encryption, now)


def _name(address: Address) -> Finding:
    try:
        found = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        told = error.strerror if isinstance(error, OSError) else "is no host name"
        return wrong(
            "name",
            f"{address.host}: {told}",
            "check the spelling, and that this machine can ask a name server",
        )
    numbers = dict.fromkeys(str(place[0]) for *_, place in found)
    return ok("name", f"{address.host} is {', '.join(numbers)}")


@contextmanager
def _connection(address: Address) -> Iterator[socket.socket]:
    with socket.create_connection(address, PATIENCE_S) as connection:
        yield connection


def _connect(address: Address) -> Finding:
    try:
        with _connection(address):
            return ok("connect", f"something listens at {address}")
    except ConnectionRefusedError:
        return wrong(
            "connect",
            f"{address} refuses connections: nothing listens there",
            f"start the service ({SERVE}), or give the address that it printed",
        )
    except TimeoutError:
        return wrong(
            "connect",
            f"{address} does not answer within {PATIENCE_S:.0f} s",
            "look for a firewall in between, and whether that machine is on",
        )
    except OSError as error:
        return wrong(
            "connect",
            f"{address} is out of reach: {error.strerror or error}",
            "check the address and the network of this machine",
        )


def _plain(address: Address) -> Finding:
    """Without encryption: what the other end says to a client of HTTP/2."""
    try:
        with _connection(address) as connection:
            heard = _heard(connection)
    except TimeoutError:
        return _silent(address)
    except OSError:
        heard = b""
    if _is_http2(heard):
        return ok("encryption", "none, and none is expected")
    if _speaks_tls(address):
        return wrong(
            "encryption",
            f"{address} expects TLS, and was called without it",
            "give --ca-file ca.pem, with the certificate of who signed its own"
            " (bots: OHHELL_BOT_CA_FILE), or --tls where this machine trusts it",
        )
    return _stranger(address, heard)


def _encrypted(
    address: Address, encryption: Encryption, now: float
) -> Iterator[Finding]:
    context = ssl.create_default_context(cadata=encryption.authorities)
    context.set_alpn_protocols(["h2"])
    if encryption.identity is not None:
        context.load_cert_chain(*encryption.identity)
    try:
        with (
            _connection(address) as plain,
            context.wrap_socket(plain, server_hostname=address.host) as connection,
        ):
            yield _valid_until(connection, now)
            yield _behind_tls(address, encryption, connection)
    except ssl.SSLCertVerificationError as error:
        yield _mistrusted(address, encryption, error)
    except TimeoutError:
        yield _silent(address)
    except OSError as error:
        yield _no_tls(address, error)


def _valid_until(connection: ssl.SSLSocket, now: float) -> Finding:
    certificate = connection.getpeercert() or {}
    until = str(certificate.get("notAfter", ""))
    told = f"{connection.version()}; its certificate is trusted, until {until}"
    days = (ssl.cert_time_to_seconds(until) - now) / DAY_S
    if days < SOON_DAYS:
        return note("encryption", told, "renew the certificate of the service soon")
    return ok("encryption", told)


def _behind_tls(
    address: Address, encryption: Encryption, connection: ssl.SSLSocket
) -> Finding:
    """In TLS 1.3 a client hears only now that it should have shown a certificate."""
    if connection.selected_alpn_protocol() != "h2":
        return wrong(
            "protocol",
            f"{address} speaks TLS, and in it not HTTP/2, which gRPC needs",
            "give the address of the service; a proxy before it has to pass HTTP/2",
        )
    try:
        heard = _heard(connection)
    except TimeoutError:
        return _silent(address)
    except OSError:
        heard = b""
    if not heard:
        return _unwelcome(address, encryption)
    if _is_http2(heard):
        return ok("protocol", "HTTP/2 inside TLS")
    return _stranger(address, heard)


def _unwelcome(address: Address, encryption: Encryption) -> Finding:
    """The other end has hung up once it had seen, or missed, our certificate."""
    if encryption.identity is None:
        return wrong(
            "protocol",
            f"{address} hangs up after the handshake of TLS, as one that wants its"
            " callers to show a certificate",
            "give --certificate and --key (bots: OHHELL_BOT_CERTIFICATE, _KEY), of"
            " somebody whom [game] client_ca of the service has signed; every client"
            " there needs such a pair",
        )
    certificate, _ = encryption.identity
    return wrong(
        "protocol",
        f"{address} hangs up after the handshake of TLS: it does not accept"
        f" {certificate}",
        "show one that is valid now and that [game] client_ca of the service has"
        " signed",
    )


def _mistrusted(
    address: Address, encryption: Encryption, error: ssl.SSLCertVerificationError
) -> Finding:
    match error.verify_code:
        case code if code in UNKNOWN_SIGNERS:
            trusted = "this machine trusts"
            remedy = "give --ca-file with the certificate of who signed it"
            if encryption.authorities is not None:
                trusted = "--ca-file names"
                remedy = "give the ca.pem that belongs to this service"
            said = f"nobody whom {trusted} signed the certificate of {address}"
        case code if code in OTHER_NAMES:
            said = f"the certificate is for other names ({error.verify_message})"
            remedy = (
                "call the service by a name in its certificate, or add this one:"
                f" ohhell cert new --name {address.host}"
            )
        case code if code in (NOT_YET_VALID, EXPIRED):
            state = "has expired" if code == EXPIRED else "is not valid yet"
            said = f"the certificate of {address} {state}"
            remedy = "renew it, if the clock of this machine is right"
        case _:
            said = f"the certificate of {address}: {error.verify_message}"
            remedy = "give the service another certificate (ohhell cert new)"
    return wrong("encryption", said, remedy)


def _no_tls(address: Address, error: OSError) -> Finding:
    try:
        with _connection(address) as connection:
            heard = _heard(connection)
    except OSError:
        heard = b""
    if _is_http2(heard):
        return wrong(
            "encryption",
            f"{address} speaks without encryption, and was called with TLS",
            "leave out --tls and --ca-file (bots: OHHELL_BOT_TLS, OHHELL_BOT_CA_FILE),"
            " if it is to be reached like this",
        )
    if heard:
        return _stranger(address, heard)
    return wrong(
        "encryption",
        f"{address} ends the handshake of TLS: {error.strerror or error}",
        "look into the log of the service",
    )


def _heard(connection: socket.socket) -> bytes:
    """The first bytes of the answer to a client of HTTP/2; empty if it hung up."""
    connection.sendall(GREETING)
    heard = b""
    while len(heard) < FRAME_HEAD:
        more = connection.recv(256)
        if not more:
            break
        heard += more
    return heard


def _is_http2(heard: bytes) -> bool:
    """A server of HTTP/2 begins with its settings, on stream 0."""
    return (
        len(heard) >= FRAME_HEAD
        and heard[3] == SETTINGS_FRAME
        and not any(heard[5:FRAME_HEAD])
    )


def _speaks_tls(address: Address) -> bool:
    context = ssl.create_default_context()
    context.check_hostname = False
    # Nothing is said to it; the question is only whether it would listen.
    context.verify_mode = ssl.CERT_NONE
    try:
        with (
            _connection(address) as plain,
            context.wrap_socket(plain, server_hostname=address.host),
        ):
            return True
    except OSError:
        return False


def _silent(address: Address) -> Finding:
    return wrong(
        "protocol",
        f"{address} takes the connection and then says nothing",
        "another program listens there, or the service is stuck: see its log",
    )


def _stranger(address: Address, heard: bytes) -> Finding:
    if heard.lower().startswith((b"http/1", b"<!doctype html", b"<html")):
        return wrong(
            "protocol",
            f"{address} is a web server, not a gRPC one",
            "give the port for bots and people (50051 by default), not that of metrics",
        )
    return wrong(
        "protocol",
        f"{address} speaks no gRPC",
        "another program listens there: give the address that ohhell serve printed",
    )
