"""Random calls, right and wrong, against a served table and a model beside it.

The model is the engine itself: it gets what the service accepts, and says beforehand
whether the service may accept it. After every call both stand at the same entry, and a
refusal has changed nothing at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bots.local import LOCAL_FACTORIES
from engine.errors import Refusal
from engine.events import Cause
from engine.fallback import ChooseTrump, Command, PlaceBid, PlayCard, act
from engine.match import Match
from engine.trick import JokerCall
from ohhell.v1 import match_pb2, rules_pb2, tables_pb2, tables_pb2_grpc
from server.host import Host
from server.lobby import Lobby
from server.metrics import Metrics
from server.rpc.serving import GameListener
from tests.doubles.serving import Person, refusal_of, sit_down

SEATS = 3
STEPS = 40
OVERRIDES = {"deal_shape": '"list"', "deal_list": "[2, 1]"}
SAID = frozenset(
    {
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.ALREADY_EXISTS,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.OUT_OF_RANGE,
    }
)
"""How a caller's mistake may end; anything else is one of ours."""


class Step(NamedTuple):
    """One call: who, what, and which decision it names relative to the present one."""

    seat: int
    kind: str
    number: int
    names: int | None
    legal: bool
    twice: bool


STEP = st.builds(
    Step,
    seat=st.integers(0, SEATS - 1),
    kind=st.sampled_from(["bid", "card", "trump", "amend", "look", "watch"]),
    number=st.integers(0, 80),
    names=st.sampled_from([None, 0, 0, 0, -1, -3, 1, 1_000_000]),
    legal=st.sampled_from([True, True, True, False]),
    twice=st.booleans(),
)


@dataclass
class Both:
    """A table of the service, and its model."""

    people: list[Person]
    model: Match
    served: Match
    refused: int = 0
    accepted: int = 0
    bodies: dict[int, bytes] = field(default_factory=dict)

    async def take(self, step: Step) -> None:
        if step.legal and self.model.to_act():
            step = self._made_legal(step)
        person = self.people[step.seat]
        seq = None if step.names is None else max(0, self.model.seq + step.names)
        match step.kind:
            case "look":
                await self._look(person)
            case "watch":
                await self._watch(person, seq or 0)
            case _:
                for _ in range(1 + step.twice):
                    await self._move(person, step, seq)
        assert self.served.digest() == self.model.digest()

    def _made_legal(self, step: Step) -> Step:
        """The same number, taken for a choice among what is legal now."""
        model = self.model
        seat = model.to_act()[0]
        if bids := model.legal_bids(seat):
            kind, choices = "bid", list(bids)
        else:
            kind, choices = "card", list(model.legal_cards(seat))
        number = choices[step.number % len(choices)]
        return step._replace(seat=seat, kind=kind, number=number)

    async def _move(self, person: Person, step: Step, seq: int | None) -> None:
        call, command = self._call(person, step, seq)
        before = self.served.digest()
        try:
            answer = await call
        except grpc.aio.AioRpcError as error:
            refusal = refusal_of(error)
            assert refusal.code in SAID, refusal
            assert self.served.digest() == before
            self.refused += 1
            return
        if answer.duplicate:
            assert self.served.digest() == before
            return
        if step.kind == "amend":
            self.model.bid(step.seat, step.number)
        else:
            assert seq is None or seq == self.model.seq
            try:
                act(self.model, step.seat, command, Cause.ANSWER)
            except Refusal as refusal:
                raise AssertionError(f"{step} was accepted: {refusal.code}") from None
        self.accepted += 1

    def _call(self, person: Person, step: Step, seq: int | None) -> tuple[Any, Command]:
        named: dict[str, Any] = {"table": person.table}
        if seq is not None:
            named["decision"] = match_pb2.Decision(seq=seq, seat=person.seat)
        tables, token, number = person.tables, person.token, step.number
        bid = PlaceBid(number)
        match step.kind:
            case "bid":
                request = tables_pb2.PlaceBidRequest(bid=number, **named)
                return tables.PlaceBid(request, metadata=token), bid
            case "amend":
                amend = tables_pb2.AmendBidRequest(bid=number, **named)
                return tables.AmendBid(amend, metadata=token), bid
            case "trump":
                choose = tables_pb2.ChooseTrumpRequest(suit=number % 8, **named)  # type: ignore[arg-type]  # any number
                return tables.ChooseTrump(choose, metadata=token), ChooseTrump(
                    number % 8
                )
            case _:
                play = tables_pb2.PlayCardRequest(card=number, **named)  # type: ignore[arg-type]  # any number
                return tables.PlayCard(play, metadata=token), PlayCard(
                    number or None, JokerCall.NONE
                )

    async def _look(self, person: Person) -> None:
        view = await person.view()
        assert view.seq == self.model.seq
        assert list(view.to_act) == list(self.model.to_act())

    async def _watch(self, person: Person, after: int) -> None:
        """Every entry has the content that it had whenever somebody looked before."""
        watch = person.tables.WatchTable(
            tables_pb2.WatchTableRequest(
                table=person.table, seat=person.seat, after_seq=after
            ),
            metadata=person.token,
        )
        if after > self.model.seq:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await watch.read()
            assert refusal_of(caught.value).code in SAID
            return
        seen = after
        while seen < self.model.seq:
            message = await watch.read()
            assert isinstance(message, tables_pb2.WatchTableResponse)
            if message.HasField("entry"):
                seen += 1
                assert message.entry.seq == seen
        watch.cancel()


@asynccontextmanager
async def both(seed: int) -> AsyncIterator[Both]:
    host = Host(house_bots=LOCAL_FACTORIES, observers=[Metrics()], auth_required=False)
    host.start()
    lobby = Lobby(host)
    listener = GameListener(host, Metrics(), address="127.0.0.1", port=0, lobby=lobby)
    await listener.start()
    options = [("grpc.use_local_subchannel_pool", 1)]
    address = f"127.0.0.1:{listener.port}"
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        tables = tables_pb2_grpc.TableServiceStub(channel)
        created = await tables.CreateTable(
            tables_pb2.CreateTableRequest(
                rules=rules_pb2.RulesSpec(preset="pagat_standard", overrides=OVERRIDES),
                players=SEATS,
                amendments=True,
                seed=seed,
            )
        )
        people = [await sit_down(tables, created.table.table) for _ in range(SEATS)]
        (table,) = host.tables.values()
        setup = table.setup
        model = Match(
            setup.rules, SEATS, first_dealer=setup.first_dealer, decks=setup.decks
        )
        model.start()
        yield Both(people, model, table.match)
    host.close()
    await listener.stop(0)


async def run(seed: int, steps: list[Step]) -> Both:
    async with both(seed) as table:
        for step in steps:
            if not table.model.to_act():
                break
            await table.take(step)
        return table


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.Runner]:
    """One for all examples: what gRPC leaves to a loop must find it open."""
    with asyncio.Runner() as runner:
        yield runner


SEQUENCES = given(
    seed=st.integers(0, 2**32), steps=st.lists(STEP, min_size=1, max_size=STEPS)
)
PATIENT = [
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.function_scoped_fixture,
]


@settings(max_examples=25, suppress_health_check=PATIENT)
@SEQUENCES
def test_the_service_takes_what_the_model_takes(
    loop: asyncio.Runner, seed: int, steps: list[Step]
) -> None:
    loop.run(run(seed, steps))


@pytest.mark.slow
@settings(max_examples=1_000, suppress_health_check=PATIENT)
@SEQUENCES
def test_the_service_takes_what_the_model_takes_in_a_thousand_sequences(
    loop: asyncio.Runner, seed: int, steps: list[Step]
) -> None:
    loop.run(run(seed, steps))


def test_the_sequences_hold_both_right_and_wrong_calls(loop: asyncio.Runner) -> None:
    """Or they would prove nothing."""
    right = Step(0, "bid", 0, 0, legal=True, twice=False)
    wrong = Step(1, "card", 77, 0, legal=False, twice=True)
    table = loop.run(run(1, [right, wrong] * 15))
    assert table.accepted > 5
    assert table.refused > 5
