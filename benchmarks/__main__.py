"""All benchmarks that print a ratio to a peer; exit status 1 if a floor is missed."""

import sys

from benchmarks import decisions, engine, tables, transport

if __name__ == "__main__":
    reached = [engine.main(), decisions.main(), tables.main(), transport.main()]
    sys.exit(0 if all(reached) else 1)
