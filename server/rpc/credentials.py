"""What an encrypted call is made with, as gRPC takes it."""

from __future__ import annotations

import grpc

from server.address import Identity, Trust


def credentials_of(trust: Trust, identity: Identity | None) -> grpc.ChannelCredentials:
    """Whom to trust, and what to show to one that asks for a certificate."""
    if identity is None:
        return grpc.ssl_channel_credentials(trust.authorities)
    return grpc.ssl_channel_credentials(
        trust.authorities, identity.key, identity.certificate
    )
