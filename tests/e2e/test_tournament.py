"""Whole tournaments: the real command, the real server, real bot processes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from tests.doubles.command import Ohhell, double, house, interrupt
from tests.project.tree import ROOT

HOUSE = house("expected-tricks", "greedy", "lowest", "random")
THREE = house("greedy", "lowest", "random")
HURRY = "[time]\nper_decision_ms = 1000\nbank_ms = 0\n"


@pytest.fixture
def ohhell(tmp_path: Path) -> Ohhell:
    return Ohhell(tmp_path)


def faults(ohhell: Ohhell, run: str = "t") -> dict[str, dict[str, int]]:
    results = json.loads((ohhell.folder / "runs" / run / "results.json").read_text())
    return {line["bot"]: line["faults"] for line in results["standings"]}


def test_results_are_the_same_bytes_at_any_concurrency(ohhell: Ohhell) -> None:
    found = []
    for tables in (1, 16, 64):
        spec = ohhell.spec(HOUSE, blocks=5)
        ended = ohhell.run(
            "tournament", "run", spec, "--fresh", "--concurrency", str(tables)
        )
        assert ended.returncode == 0, ended.stderr
        found.append(ohhell.result_bytes("t"))
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 6
    assert ohhell.no_process_is_left()


def test_house_bots_play_the_same_with_and_without_processes(ohhell: Ohhell) -> None:
    outside = ohhell.spec(HOUSE, name="outside", blocks=2)
    inside = ohhell.spec(
        HOUSE.replace("house =", "in_process = true\nhouse ="), name="inside", blocks=2
    )
    for spec in (outside, inside):
        assert ohhell.run("tournament", "run", spec).returncode == 0
    by_run = [ohhell.result_bytes(run) for run in ("outside", "inside")]
    for files in by_run:
        del files["results.json"]
    assert by_run[0] == by_run[1]


def test_a_bot_that_declines_the_rules_is_named_before_the_first_block(
    ohhell: Ohhell,
) -> None:
    spec = ohhell.spec(THREE + double("raw", "nothing", "hook", "forehead"), blocks=2)
    ended = ohhell.run("tournament", "run", spec)
    assert ended.returncode != 0
    assert "bot 'raw' does not play such rules: it declines hook" in ended.stderr
    assert "forehead" not in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ohhell.no_process_is_left()


def test_a_bot_that_declines_other_rules_plays(ohhell: Ohhell) -> None:
    spec = ohhell.spec(THREE + double("raw", "nothing", "forehead"), blocks=1)
    assert ohhell.run("tournament", "run", spec).returncode == 0


def test_ctrl_c_stops_everything_and_says_how_to_resume(ohhell: Ohhell) -> None:
    spec = ohhell.spec(HOUSE, blocks=400)
    with ohhell.start("tournament", "run", spec) as process:
        ohhell.until_blocks("t", 2)
        err = interrupt(process, signal.SIGINT)
    assert process.returncode == 4
    assert "go on with:  ohhell tournament run t.toml --resume" in err
    assert ohhell.no_process_is_left()


def test_a_polite_end_plays_blocks_under_way_to_their_end(ohhell: Ohhell) -> None:
    spec = ohhell.spec(HOUSE, blocks=400)
    with ohhell.start("tournament", "run", spec) as process:
        ohhell.until_blocks("t", 2)
        err = interrupt(process, signal.SIGTERM)
    assert process.returncode == 4
    assert "ending: blocks under way are played for 30 s more" in err
    assert "go on with:" in err
    assert ohhell.no_process_is_left()


def test_a_killed_runner_leaves_no_bots_and_resumes_to_the_same_bytes(
    ohhell: Ohhell,
) -> None:
    blocks = 30
    whole = ohhell.spec(HOUSE, blocks=blocks)
    assert ohhell.run("tournament", "run", whole).returncode == 0
    expected = ohhell.result_bytes("t")
    shutil.rmtree(ohhell.folder / "runs")
    with ohhell.start("tournament", "run", whole, "--concurrency", "4") as process:
        ohhell.until_blocks("t", 2)
        interrupt(process, signal.SIGKILL)
    assert ohhell.no_process_is_left()
    done = len(list((ohhell.folder / "runs/t/records").iterdir()))
    assert done < blocks
    assert ohhell.run("tournament", "run", whole, "--resume").returncode == 0
    assert ohhell.result_bytes("t") == expected


@pytest.mark.parametrize("example", ["python_bot/first_bot", "python_bare/bare_bot"])
def test_the_example_bots_play_in_a_tournament(ohhell: Ohhell, example: str) -> None:
    file = ROOT / "examples" / f"{example}.py"
    bot = f'\n[[bots]]\nname = "mine"\ncommand = ["python", "{file}"]\n'
    spec = ohhell.spec(bot + THREE, blocks=1)
    ended = ohhell.run("tournament", "run", spec)
    assert ended.returncode == 0, ended.stderr
    assert faults(ohhell)["mine"] == {}


def test_no_process_meets_the_same_deals_twice(ohhell: Ohhell) -> None:
    notes = ohhell.folder / "notes.jsonl"
    bot = double("notes_what_it_sees", str(notes))
    rules = '[rules.overrides]\ndeal_shape = "up"\ndeal_low = 1\ndeal_high = 7\n'
    spec = ohhell.spec(bot + THREE, blocks=3, rules=rules)
    assert ohhell.run("tournament", "run", spec).returncode == 0
    assert _most_often_met(notes) == 1
    # The same question has another answer where the spec allows it.
    notes.unlink()
    spec = ohhell.spec(
        double("notes_what_it_sees", str(notes), trusted=True) + THREE,
        blocks=3,
        rules=rules,
    )
    assert ohhell.run("tournament", "run", spec, "--fresh").returncode == 0
    assert _most_often_met(notes) == 4


def test_one_process_of_a_bot_meets_no_deals_twice_where_all_are_its_own(
    ohhell: Ohhell,
) -> None:
    notes = ohhell.folder / "notes.jsonl"
    bot = double("notes_what_it_sees", str(notes)) + "lanes = 1\n"
    rules = '[rules.overrides]\ndeal_shape = "up"\ndeal_low = 1\ndeal_high = 7\n'
    spec = ohhell.spec(bot + THREE, blocks=3, rules=rules)
    ended = ohhell.run("tournament", "run", spec)
    assert ended.returncode == 0, ended.stderr
    assert _most_often_met(notes) == 1
    lines = notes.read_text().splitlines()
    assert len({json.loads(line)["pid"] for line in lines}) == 1
    results = json.loads((ohhell.folder / "runs/t/results.json").read_text())
    assert results["duplicate"] is False
    assert results["variance_reduction"] is None
    assert "duplicate = off" in ended.stdout


def _most_often_met(notes: Path) -> int:
    """Count how often one process met one block, by the ranks that were turned up.

    Copies of a block differ in their suits, never in the ranks of their upcards.
    """
    upcards: dict[tuple[int, str], dict[int, str]] = defaultdict(dict)
    for line in notes.read_text().splitlines():
        note = json.loads(line)
        upcards[note["pid"], note["table"]][note["deal"]] = note["upcard"][0]
    met = Counter(
        (pid, tuple(sorted(ranks.items()))) for (pid, _), ranks in upcards.items()
    )
    assert all(len(ranks) == 7 for _, ranks in met)
    return max(met.values())


def test_each_lane_is_a_process_that_plays_its_own_copy(ohhell: Ohhell) -> None:
    notes = ohhell.folder / "notes.jsonl"
    spec = ohhell.spec(double("notes_what_it_sees", str(notes)) + THREE, blocks=3)
    assert ohhell.run("tournament", "run", spec).returncode == 0
    lines = [json.loads(line) for line in notes.read_text().splitlines()]
    assert {line["lane"] for line in lines} == {0, 1, 2, 3}
    assert len({(line["pid"], line["lane"]) for line in lines}) == 4
    tables = Counter(
        lane for lane, _ in {(line["lane"], line["table"]) for line in lines}
    )
    assert set(tables.values()) == {3}


def test_a_process_that_claims_the_lane_of_another_does_not_get_in(
    ohhell: Ohhell,
) -> None:
    spec = ohhell.spec(double("lies_about_its_lane", "2", "1") + THREE)
    ended = ohhell.run("tournament", "run", spec)
    assert ended.returncode == 2
    assert "the token is for lane 2 of bot 'lies-about-its-lane'" in ended.stderr
    assert "the hello says lane 1" in ended.stderr
    assert ohhell.no_process_is_left()


def test_a_bot_that_hangs_on_a_decision_stops_nobody_elses_table(
    ohhell: Ohhell,
) -> None:
    spec = ohhell.spec(double("hang_once") + THREE, blocks=3, more=HURRY)
    ended = ohhell.run("tournament", "run", spec)
    assert ended.returncode == 0, ended.stderr
    found = faults(ohhell)
    # Each of its four processes hangs once.
    assert found.pop("hang-once")["DEADLINE"] == 4
    assert found == {"greedy": {}, "lowest": {}, "random": {}}
    assert ohhell.no_process_is_left()


def test_a_suspended_bot_is_asked_no_more(ohhell: Ohhell) -> None:
    spec = ohhell.spec(double("raise_after", "0") + THREE, blocks=10)
    file = ohhell.folder / spec
    file.write_text("lookahead = 1\n" + file.read_text())
    ended = ohhell.run("tournament", "run", spec)
    assert ended.returncode == 3, ended.stderr
    found = faults(ohhell)
    # Three faults a match until the fallback player keeps the seat, in four blocks of
    # four matches: the first three, and the one that was open when they were in.
    assert found.pop("raise-after") == {"ILLEGAL": 3 * 4 * 4}
    assert found == {"greedy": {}, "lowest": {}, "random": {}}


@pytest.mark.slow
def test_a_bot_that_only_hangs_is_suspended(ohhell: Ohhell) -> None:
    spec = ohhell.spec(double("hang_forever") + THREE, blocks=3, more=HURRY)
    ended = ohhell.run("tournament", "run", spec)
    assert ended.returncode == 3, ended.stderr
    assert "suspended: hang-forever" in ended.stdout
    found = faults(ohhell)
    assert found.pop("hang-forever")["DEADLINE"] > 0
    assert found == {"greedy": {}, "lowest": {}, "random": {}}


def test_a_killed_bot_is_started_again_and_only_it_is_charged(ohhell: Ohhell) -> None:
    spec = ohhell.spec(HOUSE, blocks=60)
    with ohhell.start("tournament", "run", spec) as process:
        ohhell.until_blocks("t", 2)
        (greedy,) = ohhell.bot_processes("greedy")
        os.kill(greedy, signal.SIGKILL)
        _, err = process.communicate()
    assert process.returncode == 0, err
    assert "bot greedy (lane 0) was ended by SIGKILL" in err
    found = faults(ohhell)
    assert found.pop("greedy")["CRASH"] > 0
    assert set(map(str, found.values())) == {"{}"}


def test_a_bot_that_exits_at_once_is_shown_with_its_last_words(ohhell: Ohhell) -> None:
    spec = ohhell.spec(double("exits_at_once") + THREE)
    ended = ohhell.run("tournament", "run", spec)
    assert ended.returncode == 2
    assert "bot 'exits-at-once' exited with status 3" in ended.stderr
    assert ohhell.no_process_is_left()


def test_a_run_that_nobody_reads_any_more_ends_when_it_has_something_to_say(
    ohhell: Ohhell,
) -> None:
    spec = ohhell.spec(HOUSE, blocks=400)
    with ohhell.start("tournament", "run", spec) as process:
        ohhell.until_blocks("t", 2)
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stderr.close()
        # A bot that is lost must be told of, and that is where the pipe breaks.
        os.kill(ohhell.bot_processes("greedy")[0], signal.SIGKILL)
        try:
            # 1, or what Python makes of it when it cannot flush at its end.
            assert process.wait(30) in {1, 120}
        finally:
            process.kill()
    assert ohhell.no_process_is_left()


def test_ctrl_c_works_while_bots_are_waited_for(ohhell: Ohhell) -> None:
    sleepy = '\n[[bots]]\nname = "sleepy"\ncommand = ["sleep", "600"]\n'
    spec = ohhell.spec(sleepy + THREE)
    with ohhell.start("tournament", "run", spec) as process:
        assert process.stderr is not None
        while "metrics: " not in process.stderr.readline():
            assert process.poll() is None
        err = interrupt(process, signal.SIGINT)
    assert process.returncode == 4
    assert "started again" not in err
    assert ohhell.no_process_is_left()


@pytest.mark.slow
def test_a_bot_that_never_connects_is_named(ohhell: Ohhell) -> None:
    sleepy = '\n[[bots]]\nname = "sleepy"\ncommand = ["sleep", "600"]\n'
    ended = ohhell.run("tournament", "run", ohhell.spec(sleepy + THREE))
    assert ended.returncode == 2
    assert ended.stderr.endswith("no connection within 30 s from: sleepy\n")
    assert ohhell.no_process_is_left()


@pytest.mark.slow
def test_of_many_bots_that_never_connect_only_the_first_are_named(
    ohhell: Ohhell,
) -> None:
    sleepy = '\n[[bots]]\nname = "b{}"\ncommand = ["sleep", "600"]\nlanes = 1\n'
    field = "".join(sleepy.format(bot) for bot in range(1, 16))
    ended = ohhell.run("tournament", "run", ohhell.spec(THREE + field))
    assert ended.returncode == 2
    assert ended.stderr.endswith(
        " b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, and 5 more\n"
    )


@pytest.mark.slow
@pytest.mark.alone
def test_a_bot_that_thinks_a_quarter_of_its_limit_is_in_time_at_64_tables(
    ohhell: Ohhell,
) -> None:
    time = "[time]\nper_decision_ms = 20\nbank_ms = 0\n"
    others = house("greedy", "lowest", "random")
    spec = ohhell.spec(double("slow", "5", trusted=True) + others, blocks=32, more=time)
    late: list[int] = []
    # A machine that is taken away for 15 ms makes a bot late, too, but not every time.
    while len(late) < 3 and 0 not in late:
        run = ("tournament", "run", spec, "--fresh", "--concurrency", "64")
        ended = ohhell.run(*run)
        assert ended.returncode in (0, 3), ended.stderr
        late.append(faults(ohhell)["slow"].get("DEADLINE", 0))
    assert 0 in late, late


def test_a_metrics_port_that_is_taken_is_a_mistake_only_if_it_was_asked_for(
    ohhell: Ohhell,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        spec = ohhell.spec(HOUSE, blocks=1)
        ended = ohhell.run("tournament", "run", spec, "--metrics-port", port)
    assert ended.returncode == 2
    assert f"port {port} of 127.0.0.1 cannot serve metrics" in ended.stderr
    assert ohhell.no_process_is_left()


def test_a_match_of_a_run_can_be_read(ohhell: Ohhell) -> None:
    spec = ohhell.spec(HOUSE, blocks=1)
    assert ohhell.run("tournament", "run", spec).returncode == 0
    shown = ohhell.run("replay", "t:0.3")
    assert shown.returncode == 0
    assert shown.stdout.startswith("t:0.3: ")
    assert shown.stdout.count("\nDeal ") == 3
    absent = ohhell.run("replay", "t:1.0")
    assert absent.returncode == 2
    assert "that block is not committed" in absent.stderr


def test_faults_fail_a_strict_run(ohhell: Ohhell) -> None:
    spec = ohhell.spec(double("illegal_card") + THREE, blocks=2)
    ended = ohhell.run("tournament", "run", spec, "--strict")
    assert ended.returncode == 1, ended.stderr
    assert faults(ohhell)["illegal-card"]["ILLEGAL"] > 0


def test_a_fresh_run_that_cannot_begin_keeps_the_earlier_one(ohhell: Ohhell) -> None:
    assert ohhell.run("tournament", "run", ohhell.spec(HOUSE)).returncode == 0
    before = ohhell.result_bytes("t")
    broken = ohhell.spec('\n[[bots]]\nname = "x"\ncommand = ["false"]\n' + THREE)
    ended = ohhell.run("tournament", "run", broken, "--fresh")
    assert ended.returncode == 2
    assert "runs/t holds its earlier run again" in ended.stderr
    assert ohhell.result_bytes("t") == before
    assert ohhell.run("tournament", "verify", "t").returncode == 0


def test_a_damaged_record_is_written_again_from_the_journal(ohhell: Ohhell) -> None:
    spec = ohhell.spec(HOUSE, blocks=2)
    assert ohhell.run("tournament", "run", spec).returncode == 0
    before = ohhell.result_bytes("t")
    record = ohhell.folder / "runs/t/records/1.jsonl.gz"
    record.write_bytes(record.read_bytes()[:-20])
    ended = ohhell.run("tournament", "run", spec, "--resume")
    assert ended.returncode == 0
    assert "records/1.jsonl.gz was damaged: it is written again" in ended.stderr
    assert ohhell.result_bytes("t") == before


def test_a_bot_file_that_only_defines_a_bot_is_told_what_is_missing(
    ohhell: Ohhell,
) -> None:
    (ohhell.folder / "bot.py").write_text("class MyBot:\n    pass\n")
    bot = '\n[[bots]]\nname = "mine"\ncommand = ["python", "bot.py"]\n'
    ended = ohhell.run("tournament", "run", ohhell.spec(bot + THREE))
    assert ended.returncode == 2
    assert "a Python bot's file ends with run(MyBot)" in ended.stderr


def test_everything_that_is_said_fits_80_columns(ohhell: Ohhell) -> None:
    spec = ohhell.spec(double("illegal_card") + THREE, blocks=2)
    ended = ohhell.run("tournament", "run", spec, "--metrics-port", "0")
    assert "log of illegal-card: runs/t/logs/illegal-card.err (and of 3 more" in (
        ended.stdout
    )
    assert "faults of illegal-card: ILLEGAL " in ended.stdout
    lines = [*ended.stdout.splitlines(), *ended.stderr.splitlines()]
    assert [line for line in lines if len(line) > 80] == []


def test_the_table_fits_80_columns_and_json_is_the_file(ohhell: Ohhell) -> None:
    spec = ohhell.spec(HOUSE, blocks=2)
    ended = ohhell.run("tournament", "run", spec)
    assert max(map(len, ended.stdout.splitlines())) <= 80
    again = ohhell.run("tournament", "report", "t", "--json")
    stored = (ohhell.folder / "runs/t/results.json").read_text()
    assert json.loads(again.stdout) == json.loads(stored)
