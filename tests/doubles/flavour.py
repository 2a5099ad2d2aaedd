"""What is in force: the source, or what was compiled from it ahead of time."""

import engine.deal
import server.table

IS_COMPILED = not engine.deal.__file__.endswith(".py")
FLAVOUR = "compiled" if IS_COMPILED else "pure Python"

if server.table.__file__.endswith(".py") is IS_COMPILED:
    raise RuntimeError("engine and server were not taken from the same place")
