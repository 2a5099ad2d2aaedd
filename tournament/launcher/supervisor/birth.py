"""Forking a bot: a clean process, or the reason why there is none."""

import errno
import os
import resource
import signal
from collections.abc import Callable

from .brood import die_with
from .descriptors import lift, pipe
from .messages import Start

TOKEN_FD = 3
"""Where a bot reads its token, once, to the end; `OHHELL_BOT_TOKEN_FD` tells it."""


class BirthFailed(Exception):
    """The command could not be run: `step` of birth and the errno of its failure."""

    def __init__(self, step: str, number: int) -> None:
        super().__init__(step, number)
        self.step = step
        self.errno = number


def _token_pipe(token: str) -> int:
    reading, writing = pipe()
    os.write(writing, token.encode())
    os.close(writing)
    return reading


def give_birth(start: Start, *, out: int, err: int) -> int:
    """Fork and execute the command; its process id, or BirthFailed."""
    keeper = os.getpid()
    token = None if start.token is None else _token_pipe(start.token)
    verdict, tell = pipe()
    try:
        pid = os.fork()
        if pid == 0:
            _become_bot(start, keeper=keeper, token=token, out=out, err=err, tell=tell)
    except OSError as error:
        raise BirthFailed("fork", error.errno or 0) from error
    finally:
        os.close(tell)
        if token is not None:
            os.close(token)
    with open(verdict, "rb") as failure:
        said = failure.read()
    if said:
        os.waitpid(pid, 0)
        step, _, number = said.decode().rpartition(" ")
        raise BirthFailed(step, int(number))
    return pid


def _become_bot(
    start: Start, *, keeper: int, token: int | None, out: int, err: int, tell: int
) -> None:
    steps: dict[str, Callable[[], None]] = {
        "session": os.setsid,
        "descriptors": lambda: _take_descriptors(token=token, out=out, err=err),
        "limits": lambda: _take_limits(start.limits),
        "user": lambda: _take_identity(start.identity),
        "directory": lambda: os.chdir(start.directory),
        "signals": _forget_signals,
        # After the change of user, which clears it.
        "parent": lambda: die_with(keeper, signal.SIGKILL),
        "command": lambda: _execute(start),
    }
    try:
        for step, act in steps.items():
            failure = _errno_of(act)
            if failure:
                os.write(tell, f"{step} {failure}".encode())
                break
    finally:
        os._exit(127)


def _errno_of(act: Callable[[], None]) -> int:
    try:
        act()
    except OSError as error:
        return error.errno or errno.EIO
    except ValueError:  # NUL in an argument, a limit above the system's
        return errno.EINVAL
    return 0


def _take_descriptors(*, token: int | None, out: int, err: int) -> None:
    null = lift(os.open(os.devnull, os.O_RDONLY))
    for target, source in enumerate((null, out, err)):
        os.dup2(source, target)
    if token is not None:
        os.dup2(token, TOKEN_FD)


def _take_limits(limits: dict[str, int]) -> None:
    for name, wanted in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        _, hard = resource.getrlimit(kind)
        limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(kind, (limit, limit))


def _take_identity(identity: list[int] | None) -> None:
    if identity is not None:
        user, group = identity
        os.setgroups([])
        os.setgid(group)
        os.setuid(user)


def _forget_signals() -> None:
    signal.set_wakeup_fd(-1)
    # Python ignores two signals, shells and make others: what is ignored stays so
    # through exec, and what is blocked stays blocked.
    for signum in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(signum, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _execute(start: Start) -> None:
    os.execvpe(start.command[0], start.command, start.environment)  # noqa: S606  # a bot
