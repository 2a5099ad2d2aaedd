"""Vectors computed by a second program, so that another language can check itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.commitments import leaf, root
from engine.pack import pack_of
from engine.rules import Rules
from engine.shuffle import (
    SeededDecks,
    Words,
    admissible_permutations,
    block_seed,
    bot_seed,
    copy_seed,
    deal_label,
    first_dealer,
    published_seed,
    shuffled,
    suit_permutation,
)

VECTORS = json.loads((Path(__file__).parent / "shuffle_vectors.json").read_text())


def cases(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", VECTORS[name])


def seed_of(case: dict[str, Any]) -> bytes:
    return bytes.fromhex(case["block_seed"])


@cases("published_seed")
def test_a_published_seed_stands_for_one_secret(case: dict[str, Any]) -> None:
    assert published_seed(case["seed"]).hex() == case["secret"]


@cases("block_seed")
def test_the_secret_gives_each_block_and_attempt_its_seed(case: dict[str, Any]) -> None:
    secret, nonces = bytes.fromhex(case["secret"]), bytes.fromhex(case["nonces"])
    seed = block_seed(secret, case["block"], case["attempt"], nonces)
    assert seed.hex() == case["block_seed"]


@cases("draws")
def test_words_are_drawn_in_order_and_rejected_ones_are_spent(
    case: dict[str, Any],
) -> None:
    words = Words(seed_of(case), bytes.fromhex(case["label"]))
    assert [words.draw(choices) for choices in case["choices"]] == case["drawn"]


@cases("first_dealer")
def test_the_first_dealer_is_one_draw(case: dict[str, Any]) -> None:
    assert first_dealer(seed_of(case), case["players"]) == case["seat"]


@cases("bot_seed")
def test_each_seat_of_each_copy_has_a_seed(case: dict[str, Any]) -> None:
    assert bot_seed(seed_of(case), case["copy"], case["seat"]).hex() == case["bot_seed"]


@cases("copy_seed")
def test_each_copy_has_a_seed_for_deals_of_its_own(case: dict[str, Any]) -> None:
    assert copy_seed(seed_of(case), case["copy"]).hex() == case["copy_seed"]


@cases("deck")
def test_a_deal_is_a_shuffle_of_the_pack_by_code(case: dict[str, Any]) -> None:
    words = Words(seed_of(case), deal_label(case["deal"]))
    assert shuffled(pack_of(case["pack"]).codes(), words) == case["cards"]


@cases("suits")
def test_copies_have_their_suits_permuted(case: dict[str, Any]) -> None:
    rules = Rules.of(case["preset"])
    players = case["players"]
    choices = admissible_permutations(rules, rules.pack_for(players))
    letters = ["".join(" CDHS"[suit] for suit in choice) for choice in choices]
    assert letters == case["choices"]
    becomes = suit_permutation(seed_of(case), case["copy"], choices)
    assert "".join(" CDHS"[suit] for suit in becomes) == case["becomes"]
    if "first_deck" in case:
        decks = SeededDecks(seed_of(case), rules, players, case["copy"])
        assert decks(1) == case["first_deck"]


@cases("commitment")
def test_a_root_stands_for_its_blocks(case: dict[str, Any]) -> None:
    secret = bytes.fromhex(case["secret"])
    first = case["first_block"]
    leaves = [
        leaf(block, 0, block_seed(secret, block, 0))
        for block in range(first, first + case["blocks"])
    ]
    assert root(leaves).hex() == case["root"]
