"""How long the server waits for others, and for itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """Waits in milliseconds; a section of the settings."""

    hello_ms: int = 5_000
    """Until the first frame of a stream."""
    heartbeat_ms: int = 10_000
    """Between signs of life that a stream is asked for."""
    call_ms: int = 10_000
    """For a single call whose caller sets no deadline; one that may wait for something
    has that long on top.
    """
    silent_ms: int = 60_000
    """Without any frame, after which a stream without questions counts as lost."""
    slow_ms: int = 20_000
    """For a reader to take what was written to it."""
    held_ms: int = 1_000
    """Before a stream that ends for what was sent on it is told so; nothing of it is
    read meanwhile, so that whoever floods is slow to come again.
    """
    refused_ms: int = 5_000
    """At most, before who is refused at the door again and again is told so."""
    hang_ms: int = 5_000
    """After a question has expired, for an answer that says the bot is alive."""
    away_ms: int = 10_000
    """Of one outage, in which a bot's further questions wait for it."""
    away_in_match_ms: int = 30_000
    """Of all outages of one match, in which they wait."""
    return_ms: int = 60_000
    """For bots to come back after an interruption by the server itself."""
    idle_ms: int = 600_000
    """For a decision at an opened table without a clock."""
    unfilled_ms: int = 600_000
    """For an opened table to be filled."""
    stuck_ms: int = 60_000
    """In which nobody is waited for at a table that runs: then it is our fault."""
    lag_ms: int = 50
    """By which the event loop may be late before clocks stand still for it."""


PATIENCE = Patience()
