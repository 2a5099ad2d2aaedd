"""What a person sees who starts a bot wrongly."""

from pathlib import Path

import pytest

from ohhell_bot import Bot, View, run
from ohhell_bot.__main__ import main


class NoPlay(Bot):
    def bid(self, view: View) -> int:
        return 0


def fails(capsys: pytest.CaptureFixture[str], status: object) -> str:
    assert status == 2
    return capsys.readouterr().err


def test_a_bot_without_a_method_is_told_which(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(NoPlay, [])
    said = fails(capsys, ended.value.code)
    assert said == "ohhell_bot: the bot does not say what to play\n"


def test_a_wrong_flag_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(NoPlay, ["--workers", "x"])
    said = fails(capsys, ended.value.code)
    assert said == "ohhell_bot: --workers: 'x' is not a whole number 1..4096\n"


@pytest.mark.parametrize(
    "words",
    [
        ["--workers=x", "bots.lowest:Lowest"],
        ["--lane", "1", "--workers", "x", "bots.lowest:Lowest"],
        ["bots.lowest:Lowest", "--workers", "x"],
    ],
)
def test_flags_may_stand_before_and_after_the_bot(
    words: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.argv", ["ohhell_bot", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert "--workers: 'x' is not" in fails(capsys, ended.value.code)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bot", "'bot' is not MODULE:CLASS"),
        ("missing:Bot", "there is no module missing here"),
        ("mine:Nothing", "mine has no bot class Nothing"),
        ("mine:number", "mine has no bot class number"),
    ],
)
def test_a_bot_that_cannot_be_found_is_named(
    name: str,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    (tmp_path / "mine.py").write_text("number = 3\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["ohhell_bot", name])
    monkeypatch.setattr("sys.path", [])
    with pytest.raises(SystemExit) as ended:
        main()
    assert fails(capsys, ended.value.code) == f"ohhell_bot: {message}\n"
