"""What names may look like: those of bots are keys, those for people are shown."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

BOT_NAME: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
MAX_DISPLAY_NAME: Final = 32


def display_name_wrong(value: str) -> str | None:
    """What would be right, where a name is not the same printable text for everybody.

    Never a key: two names may look alike.
    """
    if len(value) > MAX_DISPLAY_NAME:
        return f"at most {MAX_DISPLAY_NAME} characters"
    if unicodedata.normalize("NFC", value) != value or value.strip() != value:
        return "composed characters (NFC), without spaces at the ends"
    if not value.isprintable():
        return "printable characters"
    return None
