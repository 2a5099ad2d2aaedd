"""The spec that `ohhell tournament new` writes: it works as it is."""

from __future__ import annotations

_TEXT = """\
# A tournament. Run it with:  ohhell tournament run {file}
# Results, report and records land in runs/{name}/.

name = "{name}"

# With a seed every deal can be dealt again, by anybody who knows the seed. Remove the
# line for deals that nobody can foretell.
seed = 1

# Players at a table, 3 to 7, as the rules allow.
seats = 4

# Matches of a block share their deals. Without it every match has its own, which tells
# bots apart more slowly; a bot with fewer processes than seats makes it so by itself.
# duplicate = "off"

# Tables played at the same time. It changes how long a run takes, never its results.
concurrency = 16

[rules]
# `ohhell rules list` shows the presets, `ohhell rules show {preset}` what is in one.
preset = "{preset}"

[rules.overrides]
# Any parameter of the preset can be replaced:
# hook = false
# deal_shape = "up_down"

[schedule]
kind = "round_robin"
# A block is one sequence of deals, played once in every rotation of the seats.
blocks = 24

[time]
# Milliseconds: for each decision; to spend beyond that in a match; added after each
# decision; forgiven each time.
per_decision_ms = 1000
bank_ms = 10000
increment_ms = 0
grace_ms = 50

# How far bots that are started here are kept from your files and from each other. All
# need Linux; a user of their own needs root, too.
# [confinement]
# bubblewrap = true
# user = "nobody"
# memory_mb = 512

# Bots. House bots come with the program: {house}.
# Your own bot is a command; relative paths start in the folder of this file:
#
# [[bots]]
# name = "mine"
# command = ["python", "my_bot.py"]
#
# It is started in one process for each seat rotation, so that no process meets the same
# deals twice; `trusted = true` starts one process for all. So does `lanes = 1`, and it
# makes every match have deals of its own.
{bots}"""


def starter_spec(name: str, *, file: str, house_bots: tuple[str, ...]) -> str:
    """Write a commented spec for the first four house bots."""
    bots = "".join(
        f'\n[[bots]]\nname = "{house}"\nhouse = "{house}"\n' for house in house_bots[:4]
    )
    return _TEXT.format(
        name=name,
        file=file,
        preset="pagat_standard",
        house=", ".join(house_bots),
        bots=bots,
    )
