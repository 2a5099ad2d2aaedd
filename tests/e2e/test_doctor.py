"""`ohhell doctor` with a service: every way in which it is not reached has a name."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from typer.testing import CliRunner

from cli.certificates import Authority, read_authority, write_pair
from cli.doctor import reaching
from cli.main import app
from tests.doubles.serving import registered, serving

SERVER: dict[str, Any] = {
    "tls__certificate": "server.pem",
    "tls__key": "server-key.pem",
}


def doctor(*arguments: str) -> tuple[int, dict[str, tuple[str, str]], str]:
    """Exit status, verdict and words by check, and the remedy of the last."""
    ended = CliRunner().invoke(app, ["doctor", *arguments, "--json"])
    assert ended.exception is None or isinstance(ended.exception, SystemExit)
    document = json.loads(ended.stdout)
    found = {
        one["check"]: (one["verdict"], one["said"]) for one in document["findings"]
    }
    assert document["passed"] == (ended.exit_code == 0)
    # Whatever is not right is told with what would be.
    for one in document["findings"]:
        assert bool(one["remedy"]) == (one["verdict"] != "ok"), one
    return ended.exit_code, found, document["findings"][-1]["remedy"]


def certificates(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    ended = CliRunner().invoke(app, ["cert", "new", "--folder", str(folder)])
    assert ended.exit_code == 0
    return folder


@contextmanager
def listener(answer: bytes | None) -> Iterator[str]:
    """Something else that listens: it says this to everybody, or nothing at all."""

    def serve(door: socket.socket) -> None:
        while True:
            try:
                caller, _ = door.accept()
            except OSError:
                return
            kept.append(caller)
            if answer is not None:
                with caller:
                    caller.recv(1_024)
                    caller.sendall(answer)

    kept: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as door:
        thread = threading.Thread(target=serve, args=(door,))
        thread.start()
        try:
            yield f"127.0.0.1:{door.getsockname()[1]}"
        finally:
            door.shutdown(socket.SHUT_RDWR)
            thread.join()
            for caller in kept:
                caller.close()


def test_a_service_that_is_well_passes_every_check(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        code, found, _ = doctor(service.game)
        assert code == 0
        assert {verdict for verdict, _ in found.values()} == {"ok"}
        assert list(found) == [
            *("name", "connect", "encryption", "service", "revision"),
            *("health", "round trip", "token"),
        ]
        told = CliRunner().invoke(app, ["doctor", service.game]).stdout
    assert told.endswith("8 checks: 8 ok, 0 note, 0 wrong\n")
    assert max(map(len, told.splitlines())) <= 80


def test_the_other_listeners_are_told_apart_from_the_one_for_bots(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as service:
        web = service.listens["metrics"].removeprefix("http://").split("/")[0]
        code, found, remedy = doctor(web)
        assert (code, found["protocol"][0]) == (1, "wrong")
        assert "is a web server" in found["protocol"][1]
        assert "50051" in remedy
        code, found, _ = doctor(service.listens["admin"])
        assert (code, found["service"][0]) == (1, "wrong")
        assert "no service for bots" in found["service"][1]


def test_nothing_and_nobody_there_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        taken = f"127.0.0.1:{door.getsockname()[1]}"
    code, found, remedy = doctor(taken)
    assert (code, found["connect"][0]) == (1, "wrong")
    assert "nothing listens there" in found["connect"][1]
    assert "ohhell serve" in remedy
    code, found, _ = doctor("no-such-host.invalid:50051")
    assert (code, list(found), found["name"][0]) == (1, ["name"], "wrong")
    monkeypatch.setattr(reaching, "PATIENCE_S", 0.2)
    with listener(None) as silent:
        code, found, _ = doctor(silent)
    assert code == 1
    assert "says nothing" in found["protocol"][1]
    with listener(b"SSH-2.0-something\r\n") as other:
        code, found, _ = doctor(other)
    assert code == 1
    assert "speaks no gRPC" in found["protocol"][1]


def test_encryption_is_neither_forgotten_nor_expected_in_vain(tmp_path: Path) -> None:
    certificates(tmp_path)
    ca_file = str(tmp_path / "ca.pem")
    with serving(tmp_path, **SERVER) as service:
        code, found, remedy = doctor(service.game)
        assert code == 1
        assert "expects TLS" in found["encryption"][1]
        assert "--ca-file" in remedy
        code, found, _ = doctor(service.game, "--ca-file", ca_file)
        assert (code, found["encryption"][0]) == (0, "ok")
    with serving(tmp_path) as service:
        code, found, remedy = doctor(service.game, "--ca-file", ca_file)
        assert code == 1
        assert "without encryption" in found["encryption"][1]
        assert "leave out" in remedy


def test_a_certificate_that_is_not_trusted_is_told_with_the_reason(
    tmp_path: Path,
) -> None:
    certificates(tmp_path)
    other = certificates(tmp_path / "other")
    with serving(tmp_path, **SERVER) as service:
        code, found, remedy = doctor(service.game, "--ca-file", f"{other}/ca.pem")
        assert code == 1
        assert "nobody whom --ca-file names signed" in found["encryption"][1]
        assert "the ca.pem that belongs to this service" in remedy
        _, found, _ = doctor(service.game, "--tls")
        assert "nobody whom this machine trusts signed" in found["encryption"][1]


def rewrite(folder: Path, names: list[str], days: int) -> None:
    """A certificate of the service by the authority of the folder."""
    authority: Authority = read_authority(folder / "ca.pem", folder / "ca-key.pem")
    write_pair(folder, "server", *authority.server(names, days))


def test_a_certificate_for_other_names_or_another_time_says_so(tmp_path: Path) -> None:
    certificates(tmp_path)
    ca_file = str(tmp_path / "ca.pem")
    rewrite(tmp_path, ["arena.example.org"], 100)
    with serving(tmp_path, **SERVER) as service:
        _, found, remedy = doctor(service.game, "--ca-file", ca_file)
        assert "for other names" in found["encryption"][1]
        assert "ohhell cert new --name 127.0.0.1" in remedy
        rewrite(tmp_path, ["127.0.0.1"], 0)
        _, found, remedy = doctor(service.game, "--ca-file", ca_file)
        assert "has expired" in found["encryption"][1]
        assert "clock" in remedy
        rewrite(tmp_path, ["127.0.0.1"], 3)
        code, found, _ = doctor(service.game, "--ca-file", ca_file)
        assert (code, found["encryption"][0]) == (0, "note")


def shown(folder: Path, name: str = "operator") -> list[str]:
    """Flags that show the pair of that name."""
    return [
        *("--certificate", str(folder / f"{name}.pem")),
        *("--key", str(folder / f"{name}-key.pem")),
    ]


def test_a_service_that_wants_certificates_of_callers_gets_one_or_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificates(tmp_path)
    other = certificates(tmp_path / "other")
    settings = SERVER | {"game__client_ca": "ca.pem"}
    with serving(tmp_path, **settings) as service:
        called = (service.game, "--ca-file", str(tmp_path / "ca.pem"))
        code, found, remedy = doctor(*called)
        assert code == 1
        assert "wants its callers to show a certificate" in found["protocol"][1]
        assert "--certificate and --key" in remedy
        code, found, remedy = doctor(*called, *shown(other))
        assert code == 1
        assert "does not accept" in found["protocol"][1]
        assert "client_ca" in remedy
        code, found, _ = doctor(*called, *shown(tmp_path))
        assert code == 0
        assert found["protocol"] == ("ok", "HTTP/2 inside TLS")
        assert found["service"][0] == "ok"
        monkeypatch.setenv("OHHELL_BOT_CERTIFICATE", str(tmp_path / "operator.pem"))
        monkeypatch.setenv("OHHELL_BOT_KEY", str(tmp_path / "operator-key.pem"))
        assert doctor(*called)[0] == 0
        # That of a bot that is called is not for this.
        monkeypatch.setenv("OHHELL_BOT_SERVE", "127.0.0.1:0")
        assert doctor(*called)[0] == 1
    # One that asks for none is not bothered by it.
    with serving(tmp_path, **SERVER) as service:
        called = (service.game, "--ca-file", str(tmp_path / "ca.pem"))
        assert doctor(*called, *shown(tmp_path))[0] == 0


def protected(folder: Path) -> Path:
    """The operator's key, behind a password."""
    key = load_pem_private_key((folder / "operator-key.pem").read_bytes(), None)
    file = folder / "protected.pem"
    file.write_bytes(
        key.private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"word")
        )
    )
    return file


def test_a_pair_of_files_that_cannot_be_shown_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificates(tmp_path)
    protected(tmp_path)
    monkeypatch.chdir(tmp_path)
    for flags, said in (
        (["--certificate", "operator.pem"], "--certificate and --key: give both"),
        (["--key", "operator-key.pem"], "--certificate and --key: give both"),
        (
            ["--certificate", "operator.pem", "--key", "server-key.pem"],
            "operator.pem and server-key.pem are no certificate with its key",
        ),
        (["--certificate", "none", "--key", "ca.pem"], "there is no file none"),
        (["--certificate", "operator.pem", "--key", "."], "there is no file ."),
        (
            ["--certificate", "operator.pem", "--key", "protected.pem"],
            "protected.pem: it is protected by a password",
        ),
    ):
        ended = CliRunner().invoke(
            app, ["doctor", "h:1", "--ca-file", "ca.pem", *flags]
        )
        assert (ended.exit_code, ended.stdout) == (2, "")
        assert said in ended.stderr


def test_a_token_is_missing_or_wrong_or_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = registered(tmp_path, "ada")
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_text(tokens["ada"])
    bad.write_text(tokens["ada"][:-1] + "?")
    with serving(tmp_path, "--auth", "on") as service:
        code, found, remedy = doctor(service.game)
        assert (code, found["token"][0]) == (0, "note")
        assert "ohhell bot register" in remedy
        code, found, remedy = doctor(service.game, "--token-file", str(bad))
        assert (code, found["token"][0]) == (1, "wrong")
        assert "TOKEN_INVALID" in found["token"][1]
        assert "ohhell bot token" in remedy
        code, found, _ = doctor(service.game, "--token-file", str(good))
        assert (code, found["token"]) == (0, ("ok", "it is known"))
        # As a bot that is started here would find it.
        monkeypatch.setenv("OHHELL_BOT_TOKEN", tokens["ada"])
        assert doctor(service.game)[1]["token"] == ("ok", "it is known")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("nowhere",), "ohhell: 'nowhere' is not HOST:PORT"),
        (("h:1", "--ca-file", "absent.pem"), "there is no file absent.pem"),
        (("127.0.0.1:1", "--ca-file", "empty.pem"), "empty.pem: it holds no certif"),
        (("127.0.0.1:1", "--ca-file", "bytes.pem"), "bytes.pem: it holds no certif"),
        (("h:1", "--token-file", "absent"), "there is no file absent"),
        (("--tls",), "add HOST:PORT"),
        (("h:1", "--config", "x.toml"), "leave out HOST:PORT"),
    ],
)
def test_a_mistake_in_the_command_is_one_clear_message(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    expected: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty.pem").write_text("")
    Path("bytes.pem").write_bytes(b"\xd0\xff")
    ended = CliRunner().invoke(app, ["doctor", *arguments])
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert expected in ended.stderr
