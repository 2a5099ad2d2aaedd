"""How the gRPC listeners are set up, and why: the defaults are for other services."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from server.limits import Limits

_DEFAULT: Final = Limits()

LISTENING: Final[Sequence[tuple[str, int]]] = (
    # Without it a second server on the same port starts, and gets half the calls.
    ("grpc.so_reuseport", 0),
    # A client that is gone without a word is noticed by pings alone, and it is the
    # ping timeout that counts, not the keepalive timeout.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 9_000),
    ("grpc.http2.max_ping_strikes", 3),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.server_handshake_timeout_ms", 5_000),
    # Who connects and never calls anything is no guest of ours for ever.
    ("grpc.max_connection_idle_ms", 600_000),
    # Else a sender that is fast enough is offered ever more, some megabytes in the end,
    # and a stream that is not read would be as much work and memory. Frames are small.
    ("grpc.http2.bdp_probe", 0),
)


def listening(limits: Limits) -> Sequence[tuple[str, int]]:
    """The options of a listener."""
    age = (
        ("grpc.max_connection_age_ms", limits.connection_age_ms),
        ("grpc.max_connection_age_grace_ms", limits.connection_grace_ms),
    )
    return (
        *LISTENING,
        *(age if limits.connection_age_ms else ()),
        ("grpc.max_receive_message_length", limits.request_bytes),
        ("grpc.max_send_message_length", limits.response_bytes),
        ("grpc.max_concurrent_streams", limits.streams_per_connection),
    )


DIALLING: Final[Sequence[tuple[str, int]]] = (
    ("grpc.max_receive_message_length", _DEFAULT.request_bytes),
    ("grpc.max_send_message_length", _DEFAULT.response_bytes),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.min_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 5_000),
    # Every call has a connection of its own: lanes share nothing.
    ("grpc.use_local_subchannel_pool", 1),
    # The address is all there is to be known about a bot: nothing that a name server
    # or the environment says sends the call elsewhere.
    ("grpc.service_config_disable_resolution", 1),
    ("grpc.enable_http_proxy", 0),
)
"""Calls to bots that are servers."""
