"""`python -m cli.conformance FILE...` without the rest of the command line."""

import typer

from cli.conformance.app import conformance

typer.run(conformance)
