"""Receipts of calls, in the store."""

from dataclasses import replace

from server.receipt import KEPT_FOR_S, Receipt, minting
from server.registry import BotRegistry
from server.store import Store
from server.tokens import SEAT_TOKEN, TICKET

RECEIPT = Receipt(b"call", b"request", bytes(32), "t-1", 0)


def test_a_receipt_is_stored_with_what_is_changed_beside_it(store: Store) -> None:
    store.tables.create("t-1", now=1, rules="{}", players=3, seed=b"s")
    store.receipts.keep(RECEIPT, now=1)
    assert store.receipts.find(b"call", now=1) is None
    before = store.log.next_chunk
    store.log.commit()
    assert store.log.next_chunk == before + 1
    assert store.receipts.find(b"call", now=1) == RECEIPT
    assert store.tables.by_name("t-1") is not None
    assert store.receipts.find(b"other", now=1) is None


def test_a_receipt_is_good_for_a_day_and_then_makes_room(store: Store) -> None:
    store.receipts.keep(RECEIPT, now=1)
    store.receipts.keep(replace(RECEIPT, call=b"old", seat=None), now=1)
    store.log.commit()
    last = 1 + KEPT_FOR_S
    assert store.receipts.find(b"call", now=last) == RECEIPT
    assert store.receipts.find(b"call", now=last + 1) is None
    # The same id may stand for another request then, which takes the old ones away.
    again = replace(RECEIPT, request=b"another", table="", seat=None)
    store.receipts.keep(again, now=last + 1)
    store.log.commit()
    assert store.receipts.find(b"call", now=last + 1) == again
    assert store.receipts.find(b"old", now=last) is None


def test_a_receipt_may_be_kept_again_though_the_clock_was_turned_back(
    store: Store,
) -> None:
    store.receipts.keep(RECEIPT, now=1_000_000)
    store.log.commit()
    store.receipts.keep(RECEIPT, now=1)
    store.log.commit()
    assert store.receipts.find(b"call", now=1) == RECEIPT


def test_a_bot_its_token_and_the_receipt_are_stored_together(store: Store) -> None:
    bots = BotRegistry(store.bots)
    mint = minting(RECEIPT.salt, "id")
    token = bots.register("ada", mint=mint, receipt=replace(RECEIPT, call=b"first"))
    other = bots.issue("ada", mint=mint, receipt=replace(RECEIPT, call=b"second"))
    for call in (b"first", b"second"):
        assert store.receipts.find(call, now=1) is not None
    known = BotRegistry(store.bots)
    for secret in (token, other):
        holder = known.holder_of(secret)
        assert holder is not None
        assert holder.bot == "ada"


def test_secrets_are_made_again_in_order_by_salt_and_id_and_by_nothing_less() -> None:
    def three(salt: bytes, request_id: str) -> list[str]:
        mint = minting(salt, request_id)
        return [mint(TICKET), mint(TICKET), mint(SEAT_TOKEN)]

    made = three(bytes(32), "id")
    assert made == three(bytes(32), "id")
    others = [*three(b"\1" + bytes(31), "id"), *three(bytes(32), "di")]
    assert len({*made, *others}) == 9
    assert [secret[:4] for secret in made] == [TICKET, TICKET, SEAT_TOKEN]
    # As long as those that are drawn: 256 bits.
    assert {len(secret) for secret in made} == {47}
