"""What can go wrong with a bot process.

LauncherError
├── CannotStart          the command could not be run
├── BotExited            it ended while something was awaited from it
└── SupervisorLost       the launcher's own process could not be used
"""

from pathlib import Path


class LauncherError(Exception):
    """A bot process is not there; the message is for the organiser."""


class CannotStart(LauncherError):
    """The operating system refused to run a bot's command."""

    def __init__(
        self, bot: str, command: tuple[str, ...], *, directory: Path, reason: str
    ) -> None:
        super().__init__(
            f"bot {bot!r} cannot be started: {reason}"
            f" (command {list(command)!r} in {directory})"
        )
        self.bot = bot
        self.command = command
        self.reason = reason


class BotExited(LauncherError):
    """A bot process ended before it had done what was awaited."""

    def __init__(self, bot: str, description: str) -> None:
        super().__init__(f"bot {bot!r} {description}")
        self.bot = bot


class SupervisorLost(LauncherError):
    """The supervisor did not start, or died before it answered."""
