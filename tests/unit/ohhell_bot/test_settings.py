import asyncio
import os
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from bots.lowest import Lowest
from cli.certificates import new_authority, write_pair
from ohhell_bot import SettingsError
from ohhell_bot.running import work_of
from ohhell_bot.settings import OnError, Settings, read_settings
from tests.doubles.patience import PATIENCE_S


def read(*arguments: str, **environment: str) -> Settings:
    variables = {f"OHHELL_BOT_{name}": value for name, value in environment.items()}
    return read_settings(arguments, {"PATH": "/bin", **variables})


def test_without_a_word_a_bot_looks_on_its_own_machine() -> None:
    settings = read()
    assert settings.address == "127.0.0.1:50051"
    assert (settings.workers, settings.threads, settings.lane) == (1, 0, 0)
    assert settings.on_error is OnError.CONCEDE
    assert settings.token == ""


def test_every_process_has_a_name_of_its_own() -> None:
    assert read().instance != read().instance


def test_flags_win_over_the_environment() -> None:
    settings = read("--address", "a:1", "--lane", "2", ADDRESS="b:2", WORKERS="9")
    assert (settings.address, settings.lane, settings.workers) == ("a:1", 2, 9)


def test_defaults_of_a_program_lose_against_the_environment() -> None:
    assert read_settings((), {}, workers=64).workers == 64
    assert read_settings((), {"OHHELL_BOT_WORKERS": "3"}, workers=64).workers == 3


def test_an_unknown_variable_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(SettingsError, match="did you mean OHHELL_BOT_ADDRESS"):
        read(ADRESS="a:1")
    with pytest.raises(SettingsError, match="OHHELL_BOT_XYZZY is not a setting"):
        read(XYZZY="1")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("ADDRESS", "nowhere", "OHHELL_BOT_ADDRESS: 'nowhere' is not HOST:PORT"),
        ("ADDRESS", "host:99999", "is not HOST:PORT"),
        ("WORKERS", "0", r"'0' is not a whole number 1\.\.4096"),
        ("WORKERS", "many", "is not a whole number"),
        ("LOG", "loud", "'loud' is none of error, warning, info, debug"),
        ("ON_ERROR", "pray", "'pray' is none of concede, stop"),
        ("TOKEN", " ", "it is empty"),
        ("TOKEN_FILE", "/no/such/file", "there is no file"),
        ("TOKEN_FD", "60000", "cannot read from 60000"),
        ("TLS", "maybe", "'maybe' is none of on, off"),
    ],
)
def test_a_wrong_value_is_named(name: str, value: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        read(**{name: value})


def test_an_unknown_flag_is_named() -> None:
    with pytest.raises(SettingsError, match="--adress"):
        read("--adress", "a:1")


def test_a_token_comes_from_a_variable_a_file_or_a_descriptor(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("from-file\n")
    reading, writing = os.pipe()
    os.write(writing, b"from-pipe\n")
    os.close(writing)
    assert read(TOKEN="plain").token == "plain"  # noqa: S105, S106  # made up
    assert read(TOKEN_FILE=str(file)).token == "from-file"  # noqa: S105  # made up
    assert read(TOKEN_FD=str(reading)).token == "from-pipe"  # noqa: S105  # made up
    with pytest.raises(OSError, match="descriptor"):
        os.fstat(reading)


def test_a_token_is_given_once(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("x")
    with pytest.raises(SettingsError, match="give the token once"):
        read(TOKEN="x", TOKEN_FILE=str(file))  # noqa: S106  # made up


def test_a_token_is_not_shown() -> None:
    assert "hush" not in repr(read(TOKEN="hush"))  # noqa: S106  # made up
    with pytest.raises(SettingsError, match="--token"):
        read("--token", "hush")


def test_a_certificate_turns_encryption_on(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("x")
    assert read(CA_FILE=str(file)).tls
    assert read(TLS="on").tls
    assert not read().tls


def test_where_to_wait_for_calls_may_have_any_port() -> None:
    assert read("--serve", "127.0.0.1:0").serve == "127.0.0.1:0"
    assert read(SERVE="[::1]:0").serve == "[::1]:0"
    assert read("--serve", "localhost:50070").serve == "localhost:50070"
    assert read("--serve", "0.0.0.0:0", "--expose", "on").serve == "0.0.0.0:0"
    for nowhere in (":0", "host", "127.0.0.1:x"):
        with pytest.raises(SettingsError, match="is not HOST:PORT"):
            read("--serve", nowhere)


def test_a_bot_with_a_certificate_may_be_called_from_elsewhere(tmp_path: Path) -> None:
    files = [tmp_path / "bot.pem", tmp_path / "bot-key.pem"]
    for file in files:
        file.touch()
    pair = ("--certificate", str(files[0]), "--key", str(files[1]))
    settings = read("--serve", "0.0.0.0:0", *pair)
    assert [settings.certificate, settings.key] == files
    with pytest.raises(SettingsError, match="give both, or neither"):
        read("--serve", "127.0.0.1:0", *pair[:2])


def test_a_certificate_to_show_to_the_service_comes_with_its_key_and_encrypts(
    tmp_path: Path,
) -> None:
    files = [tmp_path / "bot.pem", tmp_path / "bot-key.pem"]
    for file in files:
        file.touch()
    settings = read(CERTIFICATE=str(files[0]), KEY=str(files[1]))
    assert [settings.certificate, settings.key] == files
    assert settings.tls
    assert not settings.serve
    assert read("--tls", "off", CERTIFICATE=str(files[0]), KEY=str(files[1])).tls
    for half in ("certificate", "key"):
        with pytest.raises(SettingsError, match="give both, or neither"):
            read(f"--{half}", str(files[0]))


@pytest.mark.parametrize("serve", ["", "127.0.0.1:0"])
def test_files_that_cannot_encrypt_are_named(tmp_path: Path, serve: str) -> None:
    authority = new_authority()
    one, key = write_pair(tmp_path, "one", *authority.client("one", days=1))
    _, other = write_pair(tmp_path, "other", *authority.client("other", days=1))
    nothing, locked = tmp_path / "nothing.pem", tmp_path / "locked.pem"
    nothing.write_text("nothing")
    secret = load_pem_private_key(key.read_bytes(), None)
    locked.write_bytes(
        secret.private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"x")
        )
    )

    def start(**settings: Path) -> None:
        given = Settings(tls=True, serve=serve, **settings)  # type: ignore[arg-type]  # fields as given
        asyncio.run(asyncio.wait_for(work_of(Lowest, given), PATIENCE_S))

    for certificate, its_key in [
        (one, other),
        (nothing, key),
        (one, nothing),
        (one, locked),
    ]:
        with pytest.raises(SettingsError) as caught:
            start(certificate=certificate, key=its_key)
        told = f"{certificate} and {its_key} are no certificate with its key ("
        assert str(caught.value).startswith(told)
        assert "\n" not in str(caught.value)
    if not serve:
        with pytest.raises(SettingsError, match="holds no certificate"):
            start(ca_file=nothing)
