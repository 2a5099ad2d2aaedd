"""Bot processes that never outlive the runner."""

from tournament.launcher.confinement import (
    Confinement,
    IllegalConfinement,
    Isolation,
    Limits,
    isolation,
)
from tournament.launcher.errors import (
    BotExited,
    CannotStart,
    LauncherError,
    SupervisorLost,
)
from tournament.launcher.launcher import Handle, Launcher
from tournament.launcher.process import BotProcess, Exit, log_stem, search_path
from tournament.launcher.restarts import Restart, Restarts

__all__ = [
    "BotExited",
    "BotProcess",
    "CannotStart",
    "Confinement",
    "Exit",
    "Handle",
    "IllegalConfinement",
    "Isolation",
    "Launcher",
    "LauncherError",
    "Limits",
    "Restart",
    "Restarts",
    "SupervisorLost",
    "isolation",
    "log_stem",
    "search_path",
]
