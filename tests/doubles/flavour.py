"""Which engine is in force: its source, or what was compiled from it ahead of time."""

import engine.deal

IS_COMPILED = not engine.deal.__file__.endswith(".py")
FLAVOUR = "compiled" if IS_COMPILED else "pure Python"
