"""What a bot process finds when it starts, and what becomes of what it prints."""

import asyncio
import json
import os
import resource
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.doubles.bubblewrap import needs_bubblewrap
from tests.e2e.launcher.conftest import Bot
from tournament.launcher import (
    BotExited,
    BotProcess,
    CannotStart,
    Confinement,
    Launcher,
    Limits,
)
from tournament.launcher.supervisor.capture import HEAD, TAIL

LONGEST_GAP_LINE = 80
SECRET = "the token"  # noqa: S105  # of nothing but this test
LOOKS = """
import json, os, resource, signal
def target(fd):
    try:
        return os.readlink(f"/proc/self/fd/{fd}")
    except FileNotFoundError:  # the descriptor that read the folder
        return None
fds = {fd: target(fd) for fd in os.listdir("/proc/self/fd")}
print(json.dumps({
    "fds": {fd: to for fd, to in fds.items() if to},
    "environment": dict(os.environ),
    "directory": os.getcwd(),
    "core": resource.getrlimit(resource.RLIMIT_CORE),
    "files": resource.getrlimit(resource.RLIMIT_NOFILE),
    "memory": resource.getrlimit(resource.RLIMIT_AS),
    "signals": dict(line.split() for line in open("/proc/self/status")
                    if line.startswith(("SigIgn", "SigBlk"))),
    "user": os.getuid(),
    "groups": os.getgroups(),
}))
"""
READS_PIPE = """
import os
fd = int(os.environ["OHHELL_BOT_TOKEN_FD"])
print(os.read(fd, 5000).decode(), repr(os.read(fd, 5000)))
print("token" in open("/proc/self/environ").read())
"""


async def _seen(
    launcher: Launcher, process: BotProcess, logs: Path
) -> dict[str, object]:
    ended = await (await launcher.start(process)).exited
    assert ended.status == 0, ended.describe()
    seen = json.loads((logs / "bot.out").read_text())
    assert isinstance(seen, dict)
    return seen


async def test_nothing_of_the_runner_is_inherited(
    launcher: Launcher, bot: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_RUNNER", "x")
    leak = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(leak, True)
    try:
        seen = await _seen(launcher, bot(LOOKS), tmp_path / "logs")
    finally:
        os.close(leak)
    assert isinstance(seen["fds"], dict)
    assert set(seen["fds"]) == {"0", "1", "2"}
    assert seen["fds"]["0"] == os.devnull
    environment = seen["environment"]
    assert isinstance(environment, dict)
    assert set(environment) - {"LC_CTYPE"} == {"PATH", "LANG", "HOME"}
    assert seen["directory"] == str(tmp_path)
    assert seen["core"] == [0, 0]
    signals = seen["signals"]
    assert isinstance(signals, dict)
    python_itself_ignores = 1 << (13 - 1) | 1 << (25 - 1)  # SIGPIPE, SIGXFSZ
    # The C library keeps these two to itself: make's children cannot but ignore them.
    out_of_reach = 1 << (32 - 1) | 1 << (33 - 1)
    ignored = int(signals["SigIgn:"], 16) & ~python_itself_ignores & ~out_of_reach
    assert ignored == 0
    assert int(signals["SigBlk:"], 16) == 0


async def test_a_token_is_read_once_from_its_pipe(
    launcher: Launcher, bot: Bot, tmp_path: Path
) -> None:
    handle = await launcher.start(bot(READS_PIPE, token=SECRET))
    assert (await handle.exited).status == 0
    printed = (tmp_path / "logs" / "bot.out").read_text()
    assert printed == f"{SECRET} b''\nFalse\n"


async def test_limits_are_in_force(bot: Bot, tmp_path: Path) -> None:
    wanted = Limits(memory_bytes=1 << 30, open_files=64)
    confinement = Confinement(limits=wanted)
    async with Launcher(logs=tmp_path, confinement=confinement) as launcher:
        seen = await _seen(launcher, bot(LOOKS), tmp_path)
    assert seen["files"] == [64, 64]
    assert seen["memory"] == [1 << 30, 1 << 30]


async def test_a_limit_above_the_runners_own_is_lowered(
    bot: Bot, tmp_path: Path
) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    confinement = Confinement(limits=Limits(open_files=hard + 1))
    async with Launcher(logs=tmp_path, confinement=confinement) as launcher:
        seen = await _seen(launcher, bot(LOOKS), tmp_path)
    assert seen["files"] == [hard, hard]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run bots as others")
async def test_bots_can_run_as_another_user(bot: Bot, tmp_path: Path) -> None:
    shell = 'id -u; id -G; cat "$HOME/x" || echo mine > "$HOME/x" && cat "$HOME/x"'
    process = BotProcess("bot", ("/bin/sh", "-c", shell), Path("/"))
    confinement = Confinement(user="nobody", limits=Limits(processes=4096))
    async with Launcher(logs=tmp_path, confinement=confinement) as launcher:
        ended = await (await launcher.start(process)).exited
    assert ended.status == 0, ended.describe()
    user, groups, text = (tmp_path / "bot.out").read_text().split()
    assert int(user) != 0
    assert "0" not in groups.split()
    assert text == "mine"


@needs_bubblewrap
async def test_bubblewrap_hides_other_processes_and_passes_the_token(
    bot: Bot, tmp_path: Path
) -> None:
    # A shell, because /tmp is hidden too, where this interpreter may be installed.
    script = "ls -d /proc/[0-9]* | wc -l; cat /dev/fd/$OHHELL_BOT_TOKEN_FD"
    process = replace(
        bot("", token=SECRET), command=("/bin/sh", "-c", script), directory=Path("/")
    )
    confinement = Confinement(bubblewrap=True)
    async with Launcher(logs=tmp_path, confinement=confinement) as launcher:
        ended = await (await launcher.start(process)).exited
    assert ended.status == 0, ended.describe()
    seen, token = (tmp_path / "bot.out").read_text().splitlines()
    assert int(seen) <= 5  # bwrap, the shell and its pipeline
    assert token == SECRET


async def test_output_is_kept_bot_by_bot_and_lane_by_lane(
    launcher: Launcher, tmp_path: Path
) -> None:
    shell = ("/bin/sh", "-c", "echo out of $0; echo err of $0 >&2", "lane")
    for lane in range(2):
        process = BotProcess("bot", shell, tmp_path, lane=lane)
        await (await launcher.start(process)).exited
    logs = tmp_path / "logs"
    names = {path.name for path in logs.iterdir()}
    assert names == {"bot.out", "bot.err", "bot.1.out", "bot.1.err"}
    assert (logs / "bot.1.err").read_text() == "err of lane\n"
    assert stat.S_IMODE((logs / "bot.out").stat().st_mode) == 0o600


async def test_fifty_megabytes_of_noise_leave_a_megabyte(
    launcher: Launcher, bot: Bot, tmp_path: Path
) -> None:
    noise = """
import sys
line = b"x" * 1023 + b"\\n"
sys.stderr.buffer.write(b"first words\\n")
for _ in range(50):
    sys.stderr.buffer.write(line * 1024)
sys.stderr.buffer.write(b"last words\\n")
sys.exit(7)
"""
    ended = await (await launcher.start(bot(noise))).exited
    log = tmp_path / "logs" / "bot.err"
    assert ended.status == 7
    assert ended.last_lines.endswith("last words")
    assert HEAD + TAIL <= log.stat().st_size <= HEAD + TAIL + LONGEST_GAP_LINE
    kept = log.read_bytes()
    assert kept.startswith(b"first words\n")
    assert kept.endswith(b"last words\n")


async def test_a_program_that_does_not_exist_is_named(
    launcher: Launcher, tmp_path: Path
) -> None:
    process = BotProcess("bot", ("no-such-program", "--x"), tmp_path)
    with pytest.raises(CannotStart, match="no program 'no-such-program' on the PATH"):
        await launcher.start(process)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("./missing", "there is no file"),
        ("./text", "not an executable file"),
        ("./orphan", "the interpreter named in the first line"),
        ("./empty", "Exec format error"),
        ("./", "not an executable file"),
    ],
)
async def test_a_program_that_cannot_be_executed_is_named(
    launcher: Launcher, tmp_path: Path, program: str, said: str
) -> None:
    (tmp_path / "text").write_text("words")
    (tmp_path / "orphan").write_text("#!/no/such/interpreter\n")
    (tmp_path / "empty").write_text("")
    for name in ("orphan", "empty"):
        (tmp_path / name).chmod(0o700)
    with pytest.raises(CannotStart, match=said):
        await launcher.start(BotProcess("bot", (program,), tmp_path))


async def test_a_missing_folder_is_named(launcher: Launcher, tmp_path: Path) -> None:
    process = BotProcess("bot", (sys.executable,), tmp_path / "missing")
    with pytest.raises(CannotStart, match=r"folder .*/missing: No such file"):
        await launcher.start(process)


async def test_an_empty_command_is_refused(launcher: Launcher, tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="the command is empty"):
        await launcher.start(BotProcess("bot", (), tmp_path))


async def test_waiting_for_a_bot_that_exits_at_once_says_why(
    launcher: Launcher, bot: Bot
) -> None:
    handle = await launcher.start(bot("raise SystemExit('no model file')"))
    with pytest.raises(BotExited, match=r"(?s)'bot' exited with status 1.*no model"):
        await handle.while_running(asyncio.Event().wait())


async def test_what_comes_before_the_end_is_given(launcher: Launcher, bot: Bot) -> None:
    handle = await launcher.start(bot("import time; time.sleep(1000)"))
    assert await handle.while_running(asyncio.sleep(0, "ready")) == "ready"
    assert handle.running


async def test_many_bots_start_and_stop_together(launcher: Launcher, bot: Bot) -> None:
    process = bot("import time; time.sleep(1000)")
    handles = await asyncio.gather(*(launcher.start(process) for _ in range(50)))
    assert len({handle.pid for handle in handles}) == 50
    await launcher.close()
    assert not any(handle.running for handle in handles)
