"""Where `ohhell` and `python -m cli` begin."""

from __future__ import annotations

import os
import signal


def main() -> None:
    """Read the modules of the commands, and run the one that was typed.

    Ctrl-C ends the process without a word as long as nothing has been begun.
    """
    # gRPC reads this when it is imported. Its lines about each broken handshake would
    # stand between those of JSON in a log, and under a progress display.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interruptible:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cli.main import main as run

    if interruptible:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


if __name__ == "__main__":
    main()
