"""A bot of lines that takes the first legal thing, and does something wrong besides.

`python lines.py FAULT`, where FAULT is one of the functions below.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import NoReturn


def answer(question: dict[str, str], value: str | None = None) -> str:
    legal = question["legal"].split()
    ask = question["ask"]
    first = " ".join(legal[:3]) if ask == "lay" else legal[0]
    return json.dumps({"id": question["id"], ask: first if value is None else value})


def say(text: str) -> None:
    print(text, flush=True)


def nothing(question: dict[str, str]) -> None:
    say(answer(question))


def noise(question: dict[str, str]) -> None:
    say(f"thinking about {question['id']}")
    say(answer(question))


def speaks_on_stderr(question: dict[str, str]) -> None:
    print("thinking\n" * 50, file=sys.stderr, flush=True)
    say(answer(question))


def in_pieces(question: dict[str, str]) -> None:
    for letter in answer(question):
        print(letter, end="", flush=True)
    say("")


def huge(question: dict[str, str]) -> None:
    say("x" * 1_000_000)
    say(answer(question))


def flood(question: dict[str, str]) -> NoReturn:
    while True:
        say(answer({**question, "id": "another"}))


def twice(question: dict[str, str]) -> None:
    say(answer(question))
    say(answer(question))


previous: list[dict[str, str]] = []


def answers_the_previous(question: dict[str, str]) -> None:
    previous.append(question)
    say(answer(previous[-2 if len(previous) > 1 else -1]))
    say(answer(question))


def without_id(question: dict[str, str]) -> None:
    said = json.loads(answer(question))
    del said["id"]
    say(json.dumps(said))


def nested(question: dict[str, str]) -> None:
    say(json.dumps({"id": question["id"], question["ask"]: ["QH"]}))


def deep(question: dict[str, str]) -> None:
    say("[" * 60_000)


def no_text(question: dict[str, str]) -> None:
    sys.stdout.buffer.write(b"\xff\xfe\xfd\n")
    sys.stdout.buffer.flush()


def wrong_key(question: dict[str, str]) -> None:
    say(json.dumps({"id": question["id"], "answer": 1}))


def no_card(question: dict[str, str]) -> None:
    say(answer(question, "10H"))


def ends(question: dict[str, str]) -> NoReturn:
    sys.exit(7)


def is_killed(question: dict[str, str]) -> None:
    os.abort()


def closes(question: dict[str, str]) -> NoReturn:
    os.close(1)
    time.sleep(60)
    sys.exit()


def hangs(question: dict[str, str]) -> NoReturn:
    time.sleep(60)
    sys.exit()


def late(question: dict[str, str]) -> None:
    time.sleep(0.2)
    say(answer(question))


def main() -> None:
    fault: Callable[[dict[str, str]], None] = globals()[sys.argv[1]]
    for line in sys.stdin:
        question = json.loads(line)
        if "ask" in question:
            fault(question)


if __name__ == "__main__":
    main()
