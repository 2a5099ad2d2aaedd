"""Scripts of frames, which every library must answer alike."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf.json_format import ParseDict

from ohhell.v1 import frames_pb2

FOLDER = Path(__file__).parents[1] / "conformance" / "frames"


@dataclass(frozen=True)
class Script:
    name: str
    bot: str
    settings: dict[str, Any]
    dialled: bool
    steps: tuple[tuple[str, Any], ...]
    """What happens, and what belongs to it."""


def scripts(*, dialled: bool = False) -> list[Script]:
    """All of them, or those that also run with the roles of the call swapped."""
    found = [_script(path) for path in sorted(FOLDER.glob("*.json"))]
    return [script for script in found if script.dialled or not dialled]


def _script(path: Path) -> Script:
    text = json.loads(path.read_text(encoding="utf-8"))
    steps = [
        (kind, _meaning(kind, value))
        for step in text["steps"]
        for kind, value in step.items()
        if kind != "about"
    ]
    return Script(
        name=path.stem,
        bot=text["bot"],
        settings=text["settings"],
        dialled=text["dialled"],
        steps=tuple(steps),
    )


def _meaning(kind: str, value: Any) -> Any:  # noqa: ANN401  # by kind of step
    match kind:
        case "bot":
            return [ParseDict(frame, frames_pb2.ClientFrame()) for frame in value]
        case "service":
            return [ParseDict(frame, frames_pb2.ServerFrame()) for frame in value]
        case "raw":
            return base64.b64decode(value, validate=True)
        case _:
            return value


def comparable(frames: Sequence[frames_pb2.ClientFrame]) -> list[bytes]:
    """Without what each library says in its own words, in an order of its own."""
    for frame in frames:
        if frame.HasField("hello"):
            frame.hello.software = ""
        if frame.HasField("answer"):
            frame.answer.note = ""
    return sorted(frame.SerializeToString(deterministic=True) for frame in frames)
