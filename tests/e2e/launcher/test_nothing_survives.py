"""However a bot hides its processes and however the runner ends, none is left."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.e2e.launcher.conftest import Bot, Survivors, until
from tournament.launcher import Launcher

SLEEPS = "import time; time.sleep(1000)"
IGNORES_TERM = """
import signal, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
time.sleep(1000)
"""
FORKS_TWICE = """
import os, time
if os.fork() == 0:
    if os.fork() == 0:
        time.sleep(1000)
    os._exit(0)
os.wait()
time.sleep(1000)
"""
DAEMON = """
import os, signal, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 10)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(1000)
    os._exit(0)
os.wait()
time.sleep(1000)
"""
DAEMON_THEN_EXITS = DAEMON.replace("os.wait()\ntime.sleep(1000)", "os.wait()")
MANY_SESSIONS = """
import os, time
for depth in range(12):
    if os.fork() == 0:
        os.setsid()
    else:
        break
time.sleep(1000)
"""
PROCESSES = {
    SLEEPS: 1,
    IGNORES_TERM: 1,
    FORKS_TWICE: 2,
    DAEMON: 2,
    MANY_SESSIONS: 13,
}
EVASIVE = pytest.mark.parametrize(
    "source",
    PROCESSES,
    ids=["plain", "ignores SIGTERM", "forks twice", "daemon", "many sessions"],
)
RUNNER = """
import asyncio, sys
from pathlib import Path
from tournament.launcher import BotProcess, Launcher

async def run(logs, source, mark):
    async with Launcher(logs=Path(logs)) as launcher:
        command = (sys.executable, "-I", "-S", "-c", source, mark)
        for lane in range(2):
            await launcher.start(BotProcess("bot", command, Path(logs), lane=lane))
        await asyncio.Event().wait()

asyncio.run(run(*sys.argv[1:]))
"""


@EVASIVE
async def test_stopping_a_bot_ends_all_it_started(
    launcher: Launcher, bot: Bot, survivors: Survivors, source: str
) -> None:
    handle = await launcher.start(bot(source))
    await until(lambda: len(survivors()) == PROCESSES[source])
    ended = await handle.stop(grace=0.1)
    assert survivors() == set()
    assert ended.asked
    assert ended.status in (-signal.SIGTERM, -signal.SIGKILL)


async def test_a_daemon_does_not_outlive_the_process_that_left_it(
    launcher: Launcher, bot: Bot, survivors: Survivors
) -> None:
    handle = await launcher.start(bot(DAEMON_THEN_EXITS))
    assert (await handle.exited).status == 0
    assert survivors() == set()


async def test_stopping_one_bot_leaves_the_others_alone(
    launcher: Launcher, bot: Bot, survivors: Survivors
) -> None:
    first = await launcher.start(bot(DAEMON))
    second = await launcher.start(bot(DAEMON, name="other"))
    await until(lambda: len(survivors()) == 4)
    await first.stop(grace=0)
    assert len(survivors()) == 2
    assert second.running


@EVASIVE
async def test_killing_the_runner_ends_every_bot(
    tmp_path: Path, mark: str, survivors: Survivors, source: str
) -> None:
    command = (sys.executable, "-c", RUNNER, str(tmp_path), source, mark)
    runner = await asyncio.create_subprocess_exec(*command, start_new_session=True)
    try:
        expected = 1 + 2 * PROCESSES[source]  # the runner carries the mark as well
        await until(lambda: len(survivors()) == expected)
    finally:
        runner.kill()
        await runner.wait()
    await until(lambda: survivors() == set())


async def test_a_process_that_flees_from_child_to_child_is_caught(
    launcher: Launcher, bot: Bot, survivors: Survivors
) -> None:
    comet = """
import os, time
end = time.monotonic() + 60
while time.monotonic() < end:
    if os.fork():
        os._exit(0)
    os.setsid()
"""
    handle = await launcher.start(bot(comet))
    assert (await handle.exited).status == 0
    assert survivors() == set()


async def test_a_growing_family_is_ended(
    launcher: Launcher, bot: Bot, survivors: Survivors
) -> None:
    bomb = """
import os, time
for _ in range(7):
    if os.fork() == 0:
        os.setsid()
    time.sleep(0.01)
time.sleep(1000)
"""
    handle = await launcher.start(bot(bomb))
    await until(lambda: len(survivors()) > 8)
    await handle.stop(grace=0)
    assert survivors() == set()


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGTERM])
async def test_the_death_of_the_supervisor_ends_every_bot_and_is_survived(
    launcher: Launcher, bot: Bot, survivors: Survivors, signum: int
) -> None:
    handle = await launcher.start(bot(DAEMON))
    keeper = _parent(handle.pid)
    await until(lambda: len(survivors()) == 2)
    os.kill(_parent(keeper), signum)
    await handle.exited
    assert survivors() == set()
    again = await launcher.start(bot(SLEEPS))
    assert (await again.stop()).status == -signal.SIGTERM


async def test_the_death_of_a_keeper_ends_its_bot_and_no_other(
    launcher: Launcher, bot: Bot, survivors: Survivors
) -> None:
    lost = await launcher.start(bot(DAEMON))
    other = await launcher.start(bot(SLEEPS, name="other"))
    await until(lambda: len(survivors()) == 3)
    os.kill(_parent(lost.pid), signal.SIGKILL)
    ended = await lost.exited
    assert ended.status is None
    assert "was lost" in ended.describe()
    await until(lambda: survivors() == {other.pid})


async def test_closing_leaves_no_private_folder(tmp_path: Path, bot: Bot) -> None:
    async with Launcher(logs=tmp_path) as launcher:
        handle = await launcher.start(
            bot("import os; open(os.environ['HOME'] + '/x', 'w'); print('', flush=1)")
        )
        await handle.exited
        assert launcher._root is not None
        homes = launcher._root.homes
        assert (homes / "bot" / "x").exists()
    assert not homes.exists()


async def test_two_stops_wait_for_one_end(launcher: Launcher, bot: Bot) -> None:
    handle = await launcher.start(bot(IGNORES_TERM))
    first, second = await asyncio.gather(
        handle.stop(grace=1000), handle.stop(grace=0.05)
    )
    assert first is second
    assert await handle.stop() is first
    assert not handle.running


def _parent(pid: int) -> int:
    stat = Path(f"/proc/{pid}/stat").read_text()
    return int(stat.rpartition(")")[2].split()[1])
