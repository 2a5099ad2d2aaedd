#!/usr/bin/env python3
"""Bids as low as it may and plays its lowest card. One line in, one line out."""

import json
import sys


def weight(question, card):
    """By the rank order of the table, then by suit.

    Jesters (F) are below, jokers (X) and wizards (W) above all others.
    """
    first, second = card
    if first in "FXW":
        return {"F": 0, "X": 9000, "W": 9100}[first] + int(second)
    return 100 + 100 * question["ranks"].index(first) + "CDHS".index(second)


def lowest_first(question, cards):
    return sorted(cards, key=lambda card: weight(question, card))


def bid(question, legal):
    return int(legal[0])


def play(question, legal):
    return lowest_first(question, legal)[0]


def trump(question, legal):
    """The suit of which the hand has most cards, the first of equals."""
    suits = [card[1] for card in question["hand"].split()]
    return max(legal, key=suits.count)


def lay(question, legal):
    return " ".join(lowest_first(question, legal)[:3])


METHODS = {"bid": bid, "play": play, "trump": trump, "lay": lay}

for line in sys.stdin:
    question = json.loads(line)
    ask = question.get("ask")
    if ask is None:
        continue  # it tells something, and wants no answer
    choice = METHODS[ask](question, question["legal"].split())
    # A joker that needs a call is called low unless "call" says otherwise.
    print(json.dumps({"id": question["id"], ask: choice}), flush=True)
