"""Make docs/reference/protocol.md from the comments in proto/ohhell/v1.

``python proto/reference.py`` writes the page; a test compares it with what would be
made. The comments are the only source: this script adds headings, tables and links.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)

PROTO = Path(__file__).resolve().parent
PAGE = PROTO.parent / "docs" / "reference" / "protocol.md"
SOURCES = sorted((PROTO / "ohhell" / "v1").glob("*.proto"))
# Numbers of fields of descriptors, which paths to comments are made of.
_MESSAGE, _ENUM, _SERVICE = 4, 5, 6
_FIELD_OF_MESSAGE, _VALUE_OF_ENUM, _METHOD_OF_SERVICE = 2, 2, 2

HEAD = """\
# Reference of the protocol

Made by `proto/reference.py` from the comments in
[proto/ohhell/v1](../../proto/ohhell/v1). [protocol.md](../protocol.md) shows one match
frame by frame; why it is so is told in [the decisions](../decisions/README.md).

A field marked *optional* tells absence from zero; of those marked *one of* a message
has at most one.
"""

Path_ = tuple[int, ...]


def described() -> FileDescriptorSet:
    """All files, with their comments."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "all.binpb"
        compiler = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}"]
        options = ["--include_source_info", f"--descriptor_set_out={out}"]
        subprocess.run([*compiler, *options, *map(str, SOURCES)], check=True)
        return FileDescriptorSet.FromString(out.read_bytes())


class _File:
    """One source file and its comments."""

    def __init__(self, file: FileDescriptorProto) -> None:
        self.file = file
        self._comments = {
            tuple(place.path): " ".join(place.leading_comments.split())
            for place in file.source_code_info.location
            if place.leading_comments
        }

    def comment(self, *path: int) -> str:
        return self._comments.get(path, "")

    def lines(self) -> Iterator[str]:
        """The part of the page about this file."""
        yield f"\n## {Path(self.file.name).name}\n"
        for number, service in enumerate(self.file.service):
            yield from self._service(service, (_SERVICE, number))
        for number, message in enumerate(self.file.message_type):
            yield from self._message(message, (_MESSAGE, number))
        for number, enum in enumerate(self.file.enum_type):
            yield from self._enum(enum, (_ENUM, number))

    def _service(self, service: ServiceDescriptorProto, path: Path_) -> Iterator[str]:
        yield f"\n### {service.name}\n\n{_wrapped(self.comment(*path))}\n"
        yield "\n| call | takes | gives | |\n|---|---|---|---|\n"
        for number, method in enumerate(service.method):
            takes = _type(method.input_type, stream=method.client_streaming)
            gives = _type(method.output_type, stream=method.server_streaming)
            comment = self.comment(*path, _METHOD_OF_SERVICE, number)
            yield f"| `{method.name}` | {takes} | {gives} | {_cell(comment)} |\n"

    def _message(self, message: DescriptorProto, path: Path_) -> Iterator[str]:
        yield f"\n### {message.name}\n\n{_wrapped(self.comment(*path))}\n"
        if message.field:
            yield "\n| | field | type | |\n|---|---|---|---|\n"
        maps = {
            nested.name: nested
            for nested in message.nested_type
            if nested.options.map_entry
        }
        for number, field in enumerate(message.field):
            comment = self.comment(*path, _FIELD_OF_MESSAGE, number)
            kind = _field_type(field, maps)
            if field.HasField("oneof_index") and not field.proto3_optional:
                kind += f", *one of* `{message.oneof_decl[field.oneof_index].name}`"
            yield f"| {field.number} | `{field.name}` | {kind} | {_cell(comment)} |\n"

    def _enum(self, enum: EnumDescriptorProto, path: Path_) -> Iterator[str]:
        yield f"\n### {enum.name}\n\n{_wrapped(self.comment(*path))}\n"
        yield "\n| | value | |\n|---|---|---|\n"
        for number, value in enumerate(enum.value):
            comment = self.comment(*path, _VALUE_OF_ENUM, number)
            yield f"| {value.number} | `{value.name}` | {_cell(comment)} |\n"


def _field_type(field: FieldDescriptorProto, maps: dict[str, DescriptorProto]) -> str:
    name = field.type_name.rpartition(".")[2]
    if name in maps:
        key, value = (_plain(entry) for entry in maps[name].field)
        return f"map of {key} to {value}"
    kind = _plain(field)
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"list of {kind}"
    return f"{kind}, *optional*" if field.proto3_optional else kind


def _plain(field: FieldDescriptorProto) -> str:
    if field.type_name:
        return _type(field.type_name)
    return FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()


def _type(full_name: str, *, stream: bool = False) -> str:
    name = full_name.rpartition(".")[2]
    return f"{'stream of ' if stream else ''}[{name}](#{name.lower()})"


def _cell(comment: str) -> str:
    return comment.replace("|", r"\|")


def _wrapped(comment: str, width: int = 88) -> str:
    lines, line = [], ""
    for word in comment.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n".join([*lines, line])


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for file in described().file:
        parts.extend(_File(file).lines())
    return "".join(parts)


def main() -> None:
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
