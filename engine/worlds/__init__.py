"""Searching a deal without seeing it: worlds that agree with a view, and playouts.

`Worlds(rules, view)` draws all hidden cards so that each physical deal that fits what
the viewer knows is equally likely, and sets up a `Deal` to be played on.
"""

from engine.worlds.chance import BorrowedDice, Dice, Draw
from engine.worlds.knowledge import NoWorld
from engine.worlds.playout import (
    ByChance,
    ByIntent,
    Policy,
    dealt,
    play_out,
    play_out_by_chance,
)
from engine.worlds.sampler import World, Worlds

__all__ = [
    "BorrowedDice",
    "ByChance",
    "ByIntent",
    "Dice",
    "Draw",
    "NoWorld",
    "Policy",
    "World",
    "Worlds",
    "dealt",
    "play_out",
    "play_out_by_chance",
]
