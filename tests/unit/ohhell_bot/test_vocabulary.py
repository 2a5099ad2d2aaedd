"""Cards and words of the library are those of the wire."""

from enum import IntEnum

import pytest
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

from engine import cards as engine_cards
from ohhell.v1 import cards_pb2, frames_pb2, match_pb2
from ohhell_bot import (
    RANK,
    SUIT,
    TEXT,
    Ask,
    BidState,
    CallRule,
    Claim,
    DealKind,
    EndReason,
    JokerCall,
    Phase,
    ShownWhy,
    Suit,
    Trump,
    card_code,
    card_text,
)


@pytest.mark.parametrize(
    ("ours", "wire"),
    [
        (Ask, match_pb2.Ask),
        (BidState, match_pb2.BidState),
        (CallRule, match_pb2.CallRule),
        (Claim, match_pb2.Claim),
        (DealKind, match_pb2.DealKind),
        (EndReason, frames_pb2.EndReason),
        (JokerCall, match_pb2.JokerCall),
        (Phase, match_pb2.Phase),
        (ShownWhy, match_pb2.ShownWhy),
        (Suit, cards_pb2.Suit),
        (Trump, cards_pb2.Trump),
    ],
)
def test_numbers_and_names_agree(ours: type[IntEnum], wire: EnumTypeWrapper) -> None:
    assert sorted(ours) == sorted(wire.values())
    for name, number in wire.items():
        if number:
            assert name.endswith("_" + ours(number).name)


def test_cards_read_as_they_do_in_the_engine() -> None:
    for code in range(1, engine_cards.LAST_CODE + 1):
        assert card_text(code) == engine_cards.card_text(code)
        assert card_code(TEXT[code]) == code
        assert SUIT[code] == engine_cards.card_suit(code)
        assert RANK[code] == engine_cards.card_rank(code)
    assert len(TEXT) == engine_cards.LAST_CODE + 1


def test_a_text_of_no_card_is_named() -> None:
    with pytest.raises(ValueError, match="'1C' is no card"):
        card_code("1C")
