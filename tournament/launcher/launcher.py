"""Starting and stopping bot processes from the runner's event loop."""

import asyncio
import contextlib
import errno
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Awaitable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from tournament.launcher.confinement import Confinement, Isolation, isolation
from tournament.launcher.errors import BotExited, CannotStart, SupervisorLost
from tournament.launcher.process import BotProcess, Exit, log_stem
from tournament.launcher.supervisor.messages import (
    Exited,
    Failed,
    Ready,
    Start,
    Started,
    Stop,
    decode,
    encode,
)

T = TypeVar("T")

GRACE_SECONDS = 5.0
_STARTS_AT_ONCE = 32
_SUPERVISOR_SECONDS = 10.0
_BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from supervisor.root import main"
_LARGEST_TOKEN = 4096


class Handle:
    """A bot process that runs, or has run."""

    def __init__(self, process: BotProcess, *, pid: int, log: Path) -> None:
        self.process = process
        self.pid = pid
        """In the runner's process namespace; under bubblewrap, of the wrapper."""
        self._log = log
        self._exit: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()
        self._asked = False
        self._writer: asyncio.StreamWriter | None = None
        self._listener: asyncio.Task[None] | None = None

    def _listen(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._writer = writer
        self._listener = asyncio.create_task(self._hear(reader, writer))

    async def _hear(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        status, last_lines, log_error = None, "", None
        try:
            with contextlib.suppress(ConnectionError):
                if line := await reader.readline():
                    message = decode(line)
                    if isinstance(message, Exited):
                        status, last_lines, log_error = message
        finally:
            # Also where this is cancelled, with everything else, by a loop that ends:
            # whoever waits for the end of the process would wait for ever.
            writer.close()
            self._exit.set_result(
                Exit(
                    status,
                    last_lines,
                    asked=self._asked,
                    log=self._log,
                    log_error=log_error,
                )
            )

    @property
    def running(self) -> bool:
        """Whether the end has not been heard of yet."""
        return not self._exit.done()

    @property
    def exited(self) -> Awaitable[Exit]:
        """The end of the process and of everything it started; any number may wait."""
        return asyncio.shield(self._exit)

    async def stop(self, grace: float = GRACE_SECONDS) -> Exit:
        """Ask the process to end, kill it after `grace` seconds, wait for its end.

        Called again it waits for the same end; a shorter grace shortens the first.
        """
        if self._writer is not None and self.running:
            self._asked = True
            with contextlib.suppress(ConnectionError):
                self._writer.write(encode(Stop(grace)))
        return await self.exited

    async def while_running(self, awaited: Awaitable[T]) -> T:
        """Await something from the bot; BotExited if the process ends first."""
        task = asyncio.ensure_future(awaited)
        try:
            either: tuple[asyncio.Future[Any], ...] = (task, self._exit)
            await asyncio.wait(either, return_when="FIRST_COMPLETED")
            if task.done():
                return await task
        finally:
            task.cancel()
        raise BotExited(self.process.name, self._exit.result().describe())


class _Root:
    """The supervisor's root process and the runner's line to it."""

    def __init__(self) -> None:
        self.homes = Path(tempfile.mkdtemp(prefix="ohhell-bots-"))
        self.homes.chmod(0o711)  # bots of another user pass through to their own
        self._line, theirs = socket.socketpair()
        command = (sys.executable, "-I", "-S", "-c", f"{_BOOT}; main()")
        with theirs:
            self._process = subprocess.Popen(
                (*command, str(Path(__file__).parent), str(self.homes)),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the runner to handle
                env={},
                cwd="/",
            )
        self._line.setblocking(False)  # noqa: FBT003  # its only form

    async def ready(self) -> bool:
        """Wait until it serves; whether no bot can leave it."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(_SUPERVISOR_SECONDS):
                line = await loop.sock_recv(self._line, 4096)
        except TimeoutError:
            line = b""
        message = decode(line) if line else None
        if not isinstance(message, Ready):
            text = f"the supervisor of bots ({sys.executable}) did not start"
            raise SupervisorLost(text)
        return message.contains

    @property
    def alive(self) -> bool:
        """Whether it still serves: it says nothing, and closes before it ends bots."""
        try:
            return bool(self._line.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return True
        except ConnectionError:
            return False

    def hand_over(self, line: socket.socket) -> None:
        """Have a keeper forked at the other end of `line`."""
        try:
            # Never full: at most _STARTS_AT_ONCE of these bytes are under way.
            socket.send_fds(self._line, [b"k"], [line.fileno()])
        except OSError as error:
            text = "the supervisor of bots was killed"
            raise SupervisorLost(text) from error

    async def end(self) -> None:
        """Close the line and wait until everything below it has ended."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)
            while await loop.sock_recv(self._line, 4096):
                pass
        self._line.close()
        await asyncio.to_thread(self._process.wait)
        # Its own last act, but for when it was killed.
        shutil.rmtree(self.homes, ignore_errors=True)


class Launcher:
    """Runs bot processes so that none outlives the runner, however that ends.

    Use it as an asynchronous context manager. Logs go to `logs`, two files a lane.
    """

    def __init__(
        self,
        *,
        logs: Path,
        confinement: Confinement | None = None,
        hidden: Path | None = None,
    ) -> None:
        """Bots in namespaces of their own do not see what is in `hidden`."""
        self._logs = logs
        self._hidden = hidden
        self._confinement = Confinement() if confinement is None else confinement
        self._confinement.check()
        self._root: _Root | None = None
        self._root_lock = asyncio.Lock()
        self._starts = asyncio.Semaphore(_STARTS_AT_ONCE)
        self._handles: set[Handle] = set()
        self.warning: str | None = None
        """What the organiser must know about this system, once it is known."""

    @property
    def isolation(self) -> Isolation:
        """The level in force."""
        return isolation(self._confinement)

    async def __aenter__(self) -> Self:
        await self._living_root()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def start(self, process: BotProcess) -> Handle:
        """Run a bot process; CannotStart if its command cannot be executed."""
        if not process.command:
            raise self._cannot_start(process, "the command is empty")
        if len((process.token or "").encode()) > _LARGEST_TOKEN:
            raise self._cannot_start(process, "its token is longer than a pipe holds")
        async with self._starts:
            root = await self._living_root()
            start = self._prepare(process, root.homes)
            mine, theirs = socket.socketpair()
            with theirs:
                root.hand_over(theirs)
            reader, writer = await asyncio.open_unix_connection(sock=mine)
            try:
                pid = await self._first_answer(process, start, reader, writer)
            except BaseException:  # cancelled too: the keeper ends with its line
                writer.close()
                raise
        handle = Handle(process, pid=pid, log=Path(start.err_log))
        handle._listen(reader, writer)  # noqa: SLF001  # handles are made only here
        self._handles.add(handle)
        handle._exit.add_done_callback(  # noqa: SLF001  # as above
            lambda _: self._handles.discard(handle)
        )
        return handle

    async def close(self, grace: float = GRACE_SECONDS) -> None:
        """Stop every bot and the supervisor; nothing is left when it returns."""
        await asyncio.gather(*(handle.stop(grace) for handle in set(self._handles)))
        root, self._root = self._root, None
        if root is not None:
            await root.end()

    async def _living_root(self) -> _Root:
        async with self._root_lock:
            if self._root is not None and not self._root.alive:
                await self._root.end()
                self._root = None
            if self._root is None:
                root = _Root()
                self._root = root
                if not await root.ready():
                    self.warning = (
                        "this system has no child subreapers or no /proc: bots are"
                        " stopped by process group, and one that leaves its group"
                        " can outlive the run"
                    )
            return self._root

    def _prepare(self, process: BotProcess, homes: Path) -> Start:
        stem = log_stem(process.name, process.lane)
        identity = self._confinement.identity()
        home = homes / stem
        home.mkdir(mode=0o700, exist_ok=True)
        if identity is not None:
            os.chown(home, *identity)
        self._logs.mkdir(parents=True, exist_ok=True)
        directory = process.directory.absolute()
        return Start(
            command=list(
                self._confinement.wrap(
                    process.command,
                    home=home,
                    directory=directory,
                    hidden=self._hidden,
                )
            ),
            directory=str(directory),
            environment=process.environment(home),
            token=process.token,
            out_log=str(self._logs.absolute() / f"{stem}.out"),
            err_log=str(self._logs.absolute() / f"{stem}.err"),
            limits=self._confinement.limits.by_name(),
            identity=None if identity is None else list(identity),
        )

    async def _first_answer(
        self,
        process: BotProcess,
        start: Start,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> int:
        try:
            writer.write(encode(start))
            line = await reader.readline()
        except ConnectionError:
            line = b""
        message = decode(line) if line else None
        if isinstance(message, Started):
            return message.pid
        if isinstance(message, Failed):
            reason = _reason(message, start)
            raise self._cannot_start(process, reason)
        text = f"the supervisor was killed while bot {process.name!r} was started"
        raise SupervisorLost(text)

    def _cannot_start(self, process: BotProcess, reason: str) -> CannotStart:
        return CannotStart(
            process.name,
            process.command,
            directory=process.directory,
            reason=reason,
        )


def _reason(failure: Failed, start: Start) -> str:
    program, why = start.command[0], os.strerror(failure.errno)
    path = start.environment["PATH"]
    by_name = os.sep not in program
    match failure.step:
        case "command" if by_name and shutil.which(program, path=path) is None:
            return f"no program {program!r} on the PATH {path}"
        case "command" if failure.errno == errno.ENOENT:
            where = Path(start.directory) / program
            if where.exists():
                return f"the interpreter named in the first line of {where} is missing"
            return f"there is no file {where}"
        case "command" if failure.errno == errno.EACCES:
            return f"{program!r} is not an executable file (chmod +x makes it one)"
        case "command":
            return f"{program!r}: {why}"
        case "directory":
            return f"folder {start.directory}: {why}"
        case step:
            return f"setting its {step} failed: {why}"
