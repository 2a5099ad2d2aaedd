"""`python -m cli` is `ohhell`."""

from cli.main import main

main()
