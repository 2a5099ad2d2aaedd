"""ServerInfoService: what this is, and what it allows."""

from __future__ import annotations

from dataclasses import asdict
from importlib.metadata import version

from engine.presets import preset_names
from ohhell.v1 import info_pb2, info_pb2_grpc
from server import names
from server.host import Host
from server.rpc import conduct, frame_watches, inbox, stream, validate
from server.rpc.untyped import Untyped

FIXED = {
    "frames_per_message": inbox.MAX_FRAMES_READ,
    "violations_per_minute": conduct.MAX_VIOLATIONS,
    "idle_frames_in_2_s": conduct.MAX_IDLE_FRAMES,
    "workers": validate.MAX_WORKERS,
    "watches_per_stream": frame_watches.MAX_WATCHES,
    "page_size": validate.MAX_PAGE,
    "wait_ms": validate.MAX_WAIT_MS,
    "display_name_characters": names.MAX_DISPLAY_NAME,
}
"""Limits that no setting changes, by name, in the unit that the name tells."""


def limits_of(host: Host) -> dict[str, int]:
    """All limits in force."""
    return FIXED | host.limits.as_numbers() | asdict(host.patience)


class ServerInfoService(info_pb2_grpc.ServerInfoServiceServicer):
    """Open to everybody."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def GetServerInfo(
        self, request: info_pb2.GetServerInfoRequest, context: Untyped
    ) -> info_pb2.GetServerInfoResponse:
        return info_pb2.GetServerInfoResponse(
            software=f"ohhell {version('ohhell')}",
            min_revision=stream.REVISION,
            revision=stream.REVISION,
            capabilities=stream.CAPABILITIES,
            presets=preset_names(),
            house_bots=sorted(self._host.house_bots),
            limits=limits_of(self._host),
            draining=self._host.draining,
            auth="on" if self._host.auth_required else "off",
        )
