"""Records of a block as they are kept: a gzip member for each match, in one piece."""

from __future__ import annotations

import gzip
import zlib

from engine.errors import RecordError
from engine.record import Record, parse_records


class UnreadableRecords(Exception):
    """Data that is not what `packed` gave, or damaged; the message says in what way."""


def packed(record: str) -> bytes:
    """Compress the text of a record; equal texts give equal bytes.

    Members put one after the other are a gzip file of the texts one after the other.
    """
    return gzip.compress(f"{record}\n".encode(), 6, mtime=0)


def unpacked(data: bytes) -> list[Record]:
    """Read the records of a block, by copy; raises `UnreadableRecords`."""
    try:
        return list(parse_records(gzip.decompress(data).decode()))
    except (OSError, EOFError, zlib.error, UnicodeDecodeError, RecordError) as error:
        raise UnreadableRecords(str(error)) from error
