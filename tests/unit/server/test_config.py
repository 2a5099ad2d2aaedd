"""Settings from all sources, and what is said when one is wrong."""

from pathlib import Path

import pytest

from server.config import Auth, Config, Durability, SettingsWrong, load

NO_FLAGS: dict[str, dict[str, object]] = {}


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "server.toml"
    file.write_text(text)
    return file


def test_without_any_source_the_defaults_hold() -> None:
    assert load(None, {}, NO_FLAGS) == Config()


def test_flags_win_over_the_environment_which_wins_over_the_file(
    tmp_path: Path,
) -> None:
    file = written(
        tmp_path,
        '[game]\nport = 1\nauth = "on"\n[http]\nport = 1\n[store]\nwhere = "x"',
    )
    environment = {
        "OHHELL_SERVER__GAME__PORT": "2",
        "OHHELL_SERVER__HTTP__PORT": "2",
        "OHHELL_SERVER__STORE__DURABILITY": "power",
        "OHHELL_BOT_TOKEN": "none of our business",
    }
    config = load(file, environment, {"game": {"port": 3, "auth": None}})
    assert config.game.port == 3
    assert config.http.port == 2
    assert config.store.where == "x"
    assert config.store.durability is Durability.POWER
    assert config.game.auth is Auth.ON


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[gmae]\nport = 1", "'gmae'; the nearest is 'game'"),
        ("[game]\nprot = 1", "'prot'; the nearest is 'port' in game"),
        ('[game]\nport = "x"', "game.port = 'x': a whole number"),
        ("[game]\nport = true", "a whole number"),
        ("[game]\nport = 70000", "0..65535"),
        ('[game]\nauth = "maybe"', "off or on"),
        ("[http]\nenabled = 1", "true or false"),
        ("[store]\nwhere = 1", "text"),
        ("game = 1", "game is a table of settings"),
        ("[game", "server.toml"),
    ],
)
def test_a_wrong_setting_is_named_with_what_would_be_right(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(SettingsWrong) as caught:
        load(written(tmp_path, text), {}, NO_FLAGS)
    assert said in str(caught.value)
    assert "server.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("OHHELL_SERVER__GAME__PROT", "the nearest is 'port'"),
        ("OHHELL_SERVER__GAME", "OHHELL_SERVER__SECTION__KEY"),
        ("OHHELL_SERVER__GRPC__PORT", "the nearest is"),
    ],
)
def test_unknown_variables_under_our_prefix_are_refused(name: str, said: str) -> None:
    with pytest.raises(SettingsWrong, match=said):
        load(None, {name: "1"}, NO_FLAGS)


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(SettingsWrong, match="No such file"):
        load(tmp_path / "none.toml", {}, NO_FLAGS)


def test_listening_beyond_this_machine_has_to_be_meant() -> None:
    with pytest.raises(SettingsWrong, match="--allow-insecure"):
        load(None, {}, {"game": {"address": "0.0.0.0"}})  # noqa: S104 - it is refused
    flags: dict[str, dict[str, object]] = {
        "game": {"address": "0.0.0.0", "allow_insecure": True}  # noqa: S104 - as above
    }
    assert load(None, {}, flags).game.allow_insecure
