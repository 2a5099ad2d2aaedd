"""The one process that outlives the runner: forks keepers, and ends them all.

Forking keepers from here instead of starting an interpreter for each bot makes a
keeper cost a millisecond and a few pages. Each keeper is connected to the runner
directly and sees its end by itself; the root is the second net, for keepers that died.
"""

import fcntl
import gc
import os
import select
import shutil
import signal
import socket
import sys
import time

from .brood import Brood, adopt_orphans, die_with, hide_memory
from .keeper import Keeper
from .messages import Failed, Ready, encode
from .wakeup import Wakeup

_KEEPERS_FINISH_SECONDS = 2.0


def main() -> None:
    """Serve the runner on standard input, a socket, until it closes it or dies.

    `sys.argv[2]` is the folder of private homes, removed at the end.
    """
    contains = adopt_orphans()
    hide_memory()
    wakeup = Wakeup()
    brood = Brood(contains=contains)
    with socket.socket(fileno=os.dup(0)) as runner:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        gc.disable()
        gc.freeze()
        runner.sendall(encode(Ready(contains)))
        _serve(runner, wakeup, brood)
    _end(brood)
    shutil.rmtree(sys.argv[2], ignore_errors=True)


def _serve(runner: socket.socket, wakeup: Wakeup, brood: Brood) -> None:
    poll = select.poll()
    poll.register(runner, select.POLLIN)
    poll.register(wakeup.fd, select.POLLIN)
    while True:
        for fd, _ in poll.poll():
            if fd == wakeup.fd:
                if signal.SIGTERM in wakeup.signals():
                    return
                brood.reap()
                brood.statuses.clear()
                brood.kill_strays()
            else:
                try:
                    data, lines, _, _ = socket.recv_fds(runner, 1, 1)
                except ConnectionError:
                    return
                if not data:
                    return
                for line in lines:
                    # As it comes, a bot would inherit its keeper's line to the runner.
                    fcntl.fcntl(line, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
                    _fork_keeper(runner, socket.socket(fileno=line), brood)


def _fork_keeper(runner: socket.socket, line: socket.socket, brood: Brood) -> None:
    root = os.getpid()
    with line:
        try:
            keeper = os.fork()
        except OSError as error:
            line.sendall(encode(Failed("fork", error.errno or 0)))
            return
        if keeper:
            brood.born.add(keeper)
            return
        status = 1
        try:
            os.setsid()
            runner.close()
            contains = adopt_orphans()
            die_with(root, signal.SIGTERM)
            Keeper(line, contains=contains).run()
            status = 0
        except Exception as error:  # noqa: BLE001  # the edge of a process: printed
            sys.excepthook(type(error), error, error.__traceback__)
        finally:
            os._exit(status)  # cleaning up is for the root


def _end(brood: Brood) -> None:
    """Let the keepers finish, which writes the ends of logs, then kill what is left."""
    for keeper in brood.born:
        os.kill(keeper, signal.SIGTERM)
    until = time.monotonic() + _KEEPERS_FINISH_SECONDS
    while brood.reap() and time.monotonic() < until:
        time.sleep(0.005)
    brood.kill()
