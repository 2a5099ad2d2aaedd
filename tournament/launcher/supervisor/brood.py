"""All descendants of this process: adopting, listing, killing and reaping them."""

import contextlib
import ctypes
import os
import signal
import sys
import time

_PDEATHSIG, _DUMPABLE, _CHILD_SUBREAPER = 1, 4, 36
_FIRST_PAUSE, _LONGEST_PAUSE = 0.002, 0.1


def _prctl(option: int, value: int) -> bool:
    if sys.platform != "linux":
        return False
    return bool(ctypes.CDLL(None).prctl(option, value, 0, 0, 0) == 0)


def adopt_orphans() -> bool:
    """Become the parent of every descendant whose own parent dies (Linux)."""
    return _prctl(_CHILD_SUBREAPER, 1) and os.path.isdir("/proc/self/task")


def hide_memory() -> None:
    """Keep other processes of our user from reading tokens out of this one."""
    _prctl(_DUMPABLE, 0)


def die_with(parent: int, signum: int) -> None:
    """Have the kernel signal us when `parent` dies; exit if it already has."""
    if _prctl(_PDEATHSIG, signum) and os.getppid() != parent:
        os._exit(1)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as listing:
                found += map(int, listing.read().split())
    except (FileNotFoundError, ProcessLookupError):
        pass  # it ended while we looked
    return found


def _all_children() -> dict[int, list[int]]:
    """Read every parent on the system, for kernels without `children` files."""
    families: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as stat:
                    after_command = stat.read().rpartition(b")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            families.setdefault(int(after_command[1]), []).append(int(name))
    return families


def _signal(pid: int, signum: int) -> None:
    # Refused for set-user-id programs: their own end is all there is to wait for.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signum)


class Brood:
    """The children of this process, by birth or adopted.

    As every descendant is a child or hangs below one, no child left means none left.
    """

    def __init__(self, *, contains: bool) -> None:
        self._contains = contains
        self.born: set[int] = set()
        """Forked here and not yet reaped."""
        self.statuses: dict[int, int] = {}
        """How the ones forked here ended: exit code or minus the signal."""

    def reap(self) -> bool:
        """Collect the ended children; False if there is no child left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid in self.born:
                self.born.discard(pid)
                self.statuses[pid] = os.waitstatus_to_exitcode(status)

    def kill_strays(self) -> None:
        """Kill what was adopted here because whoever kept it has died."""
        if self._contains:
            for pid in set(_children(os.getpid())) - self.born:
                _signal(pid, signal.SIGKILL)

    def kill(self) -> None:
        """Kill every descendant, and return when none is left."""
        pause = _FIRST_PAUSE
        while self.reap():
            self._kill_once()
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _kill_once(self) -> None:
        if not self._contains:
            for leader in self.born:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(leader, signal.SIGKILL)
            return
        caught: set[int] = set()
        while fresh := _stop_descendants(caught):
            caught |= fresh
        for pid in caught:
            _signal(pid, signal.SIGKILL)


def _stop_descendants(caught: set[int]) -> set[int]:
    """Stop the descendants that are not caught yet; which those were.

    A stopped process cannot fork, so it is stopped first and its children are listed
    then: one walk finds all of a family that does not lose members meanwhile, and a
    walk that finds nobody new has them all.
    """
    me = os.getpid()
    if os.path.exists(f"/proc/{me}/task/{me}/children"):
        children_of = _children
    else:
        families = _all_children()

        def children_of(pid: int) -> list[int]:
            return families.get(pid, [])

    seen: set[int] = set()
    ahead = [me]
    while ahead:
        for pid in children_of(ahead.pop()):
            if pid not in seen:
                seen.add(pid)
                ahead.append(pid)
                if pid not in caught:
                    _signal(pid, signal.SIGSTOP)
    return seen - caught
