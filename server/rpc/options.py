"""How the gRPC listeners are set up, and why: the defaults are for other services."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

MAX_REQUEST: Final = 65_536
MAX_RESPONSE: Final = 1_048_576
MAX_STREAMS: Final = 1_000
"""Calls at once on one connection; a client waits silently beyond it."""

OPTIONS: Final[Sequence[tuple[str, int]]] = (
    # Without it a second server on the same port starts, and gets half the calls.
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", MAX_REQUEST),
    ("grpc.max_send_message_length", MAX_RESPONSE),
    ("grpc.max_concurrent_streams", MAX_STREAMS),
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
)

DIALLING: Final[Sequence[tuple[str, int]]] = (
    ("grpc.max_receive_message_length", MAX_REQUEST),
    ("grpc.max_send_message_length", MAX_RESPONSE),
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
