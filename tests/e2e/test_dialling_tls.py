"""Tournaments that call bots with certificates, and what is said without trust."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doubles.command import Ohhell, house
from tests.e2e.test_dialling import OTHERS, ServedBots


@pytest.fixture
def ohhell(tmp_path: Path) -> Ohhell:
    folder = tmp_path / "here"
    folder.mkdir()
    return Ohhell(folder)


@pytest.fixture
def bots() -> Iterator[ServedBots]:
    with contextlib.ExitStack() as stack:
        yield ServedBots(stack)


@pytest.fixture
def address(ohhell: Ohhell, bots: ServedBots) -> str:
    """Of a bot with a certificate of an authority in the folder."""
    assert ohhell.run("cert", "new").returncode == 0
    files = [str(ohhell.folder / name) for name in ("server.pem", "server-key.pem")]
    pair = ("--certificate", files[0], "--key", files[1])
    return bots.start("-m", "bots", "lowest", *pair)


def called(address: str, *keys: str) -> str:
    lines = ["[[bots]]", 'name = "called"', f'address = "{address}"', "trusted = true"]
    return "\n" + "\n".join([*lines, *keys]) + "\n" + house("lowest") + OTHERS


def test_a_bot_with_a_certificate_of_the_right_authority_plays(
    ohhell: Ohhell, address: str
) -> None:
    spec = ohhell.spec(called(address, 'ca_file = "ca.pem"'), blocks=1)
    ended = ohhell.run("tournament", "run", spec)
    assert ended.returncode == 0, ended.stderr
    results = json.loads((ohhell.folder / "runs/t/results.json").read_text())
    assert {line["bot"]: line["faults"] for line in results["standings"]}[
        "called"
    ] == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "why"),
    [
        (["tls = true"], "its certificate is not to be trusted"),
        ([], "what listens there does not speak gRPC; if it expects TLS, say whom to"),
    ],
)
def test_a_bot_is_not_called_where_it_is_not_trusted_or_not_understood(
    ohhell: Ohhell, address: str, keys: list[str], why: str
) -> None:
    ended = ohhell.run("tournament", "run", ohhell.spec(called(address, *keys)))
    assert ended.returncode == 2
    assert f"{address}: {why}" in ended.stderr


@pytest.mark.slow
def test_a_bot_without_a_certificate_is_not_called_where_one_is_asked_for(
    ohhell: Ohhell, bots: ServedBots
) -> None:
    assert ohhell.run("cert", "new").returncode == 0
    address = bots.start("-m", "bots", "lowest")
    spec = ohhell.spec(called(address, 'ca_file = "ca.pem"'))
    ended = ohhell.run("tournament", "run", spec)
    assert ended.returncode == 2
    assert f"{address}: what listens there does not speak TLS" in ended.stderr
    assert "ssl_transport" not in ended.stderr, "gRPC tells of each broken handshake"
