"""The way to the service: connections that differ in nothing, encrypted or not."""

from __future__ import annotations

from typing import Final

import grpc

from ohhell_bot.encryption import authorities_in, pair_of
from ohhell_bot.settings import Settings

_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", 1 << 20),
    # Every connection is a new one: waiting between tries is done by who calls.
    ("grpc.use_local_subchannel_pool", 1),
    # The address is all there is to be known: nothing that a name server or the
    # environment says sends the bot, and its token, elsewhere.
    ("grpc.service_config_disable_resolution", 1),
    ("grpc.enable_http_proxy", 0),
)
_HUNG_UP: Final = ("Socket closed", "Connection reset by peer (104)")


class Route:
    """Files are read once: a certificate that is renewed counts from the next start."""

    def __init__(self, settings: Settings) -> None:
        """SettingsError."""
        self._address = settings.address
        self._certificate = settings.certificate
        self._credentials = _credentials(settings) if settings.tls else None

    def channel(self) -> grpc.aio.Channel:
        """A connection of its own."""
        if self._credentials is None:
            return grpc.aio.insecure_channel(self._address, options=_OPTIONS)
        return grpc.aio.secure_channel(
            self._address, self._credentials, options=_OPTIONS
        )

    def why(self, error: grpc.aio.AioRpcError) -> str:
        """How a call ended, and what may be done about it."""
        details = error.details() or ""
        told = f"{error.code().name} {details}"
        if self._credentials is None or not _hung_up_after_handshake(details):
            return told
        if self._certificate is None:
            return (
                f"{told}; if the service wants its callers to show a certificate,"
                " give --certificate and --key"
            )
        return (
            f"{told}; if the service wants a certificate of its callers, it does not"
            f" accept {self._certificate}"
        )


def _hung_up_after_handshake(details: str) -> bool:
    """As a service does that misses a certificate or mistrusts one: it does not say so,
    and only gRPC's own words tell that from streams that are lost later.
    """
    return (
        details.startswith("failed to connect")
        and "andshake" not in details
        and details.endswith(_HUNG_UP)
    )


def _credentials(settings: Settings) -> grpc.ChannelCredentials:
    roots = authorities_in(settings.ca_file) if settings.ca_file else None
    pair = pair_of(settings)
    if pair is None:
        return grpc.ssl_channel_credentials(roots)
    return grpc.ssl_channel_credentials(roots, pair.key, pair.certificate)
