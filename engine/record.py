"""A match as text: a header, then one line for each entry, every line a JSON object.

    {"record":1,"players":["ann","bob","cy"],"first_dealer":0,"rules_hash":...}
    {"seq":1,"cause":"RULES","dealt":{"deal":1,...,"hands":["5S 3C","KD 2H","AS TC"]}}
    {"seq":2,"cause":"RULES","trump":{"trump":"H","upcard":"7H"}}
    {"seq":3,"cause":"ANSWER","bid":{"seat":1,"bid":2}}

It is the referee's view. Lines are only ever added, so the text of a running match is
the beginning of its final text, and records can be put one after the other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, assert_never

from engine.bidding import Claim
from engine.cards import (
    card_text,
    cards_text,
    trump_text,
)
from engine.course import Decks
from engine.errors import IllegalRules, RecordError
from engine.events import (
    KIND_NUMBER,
    KIND_OF_NUMBER,
    BidAmended,
    BidCardsLaid,
    BidMade,
    BidsOpened,
    BidState,
    CardPlayed,
    CardsShown,
    Cause,
    DealScored,
    Dealt,
    Entry,
    Event,
    MatchEnded,
    ShownWhy,
    TrickTaken,
    TrumpMade,
    split_by_seat,
)
from engine.fields import Fields
from engine.match import Match
from engine.parameters import DealKind
from engine.replay import replay
from engine.rules import Rules
from engine.trick import JokerCall

VERSION: Final = 1


class Record(NamedTuple):
    """`players` are names by seat."""

    rules: Rules
    players: tuple[str, ...]
    first_dealer: int
    entries: tuple[Entry, ...]

    @property
    def is_complete(self) -> bool:
        return bool(self.entries) and isinstance(self.entries[-1].event, MatchEnded)


def record_of(match: Match, players: Sequence[str]) -> Record:
    return Record(
        match.rules, tuple(players), match.first_dealer, tuple(match.entries())
    )


def match_of(
    record: Record, decks: Decks | None = None, *, dealt_from: Decks | None = None
) -> Match:
    """The match rebuilt; RecordError for a record of what cannot have happened.

    What the two sources of cards are for is told at `replay`.
    """
    return replay(
        record.rules,
        len(record.players),
        first_dealer=record.first_dealer,
        entries=record.entries,
        decks=decks,
        dealt_from=dealt_from,
    )


def record_text(match: Match, players: Sequence[str]) -> str:
    """`print_record` of a match; `players` are names by seat."""
    return print_record(record_of(match, players))


def print_record(record: Record) -> str:
    """Lines without a newline after the last."""
    lines = [header_line(record), *[entry_line(entry) for entry in record.entries]]
    return "\n".join(lines)


def header_line(record: Record) -> str:
    """The first line, which tells a record's version and its rules."""
    return _json(
        {
            "record": VERSION,
            "players": record.players,
            "first_dealer": record.first_dealer,
            "rules_hash": record.rules.hash(len(record.players)),
            "rules": record.rules.parameters(),
        }
    )


def entry_line(entry: Entry) -> str:
    """The line of one entry; `parse_entry` is its inverse."""
    name, fields = _print_event(entry.event)
    return _json({"seq": entry.seq, "cause": entry.cause.name, name: fields})


def parse_record(text: str) -> Record:
    """Inverse of `print_record`; RecordError names the line at fault."""
    records = list(parse_records(text))
    if len(records) != 1:
        raise RecordError(f"expected one record, and there are {len(records)}")
    return records[0]


def parse_records(text: str) -> Iterator[Record]:
    """Records one after the other."""
    header: _Header | None = None
    entries: list[Entry] = []
    # Not `splitlines`: characters of other alphabets that end lines may be in names.
    lines = text.removesuffix("\n").split("\n") if text else []
    for number, line in enumerate(lines, start=1):
        try:
            fields = Fields.of(line)
            if fields.has("record"):
                if header is not None:
                    yield header.record(entries)
                header, entries = _parse_header(fields), []
            elif header is None:
                raise RecordError("a record begins with its header")  # noqa: TRY301
            else:
                entries.append(_parse_entry(fields, len(entries) + 1))
        except RecordError as error:
            raise RecordError(f"line {number}: {error}") from None
    if header is not None:
        yield header.record(entries)


def parse_entry(line: str, seq: int) -> Entry:
    """The entry with the number that is due; RecordError for any other line."""
    return _parse_entry(Fields.of(line), seq)


class _Header(NamedTuple):
    rules: Rules
    players: tuple[str, ...]
    first_dealer: int

    def record(self, entries: Sequence[Entry]) -> Record:
        return Record(*self, tuple(entries))


def _parse_header(fields: Fields) -> _Header:
    version = fields.number("record")
    if version != VERSION:
        raise RecordError(f"version {version} of a record; {VERSION} can be read")
    players = tuple(fields.texts("players"))
    first_dealer = fields.number("first_dealer")
    stated = fields.text("rules_hash")
    parameters = fields.fields("rules").all()
    fields.end()
    try:
        rules = Rules.of_parameters(parameters)
    except IllegalRules as error:
        raise RecordError(f"rules: {error}") from None
    violations = rules.validate(len(players))
    if violations:
        raise RecordError(f"rules: {violations[0].message}")
    if stated != rules.hash(len(players)):
        raise RecordError("rules_hash is not the hash of these rules")
    if not 0 <= first_dealer < len(players):
        raise RecordError(f"first_dealer {first_dealer} is no seat")
    return _Header(rules, players, first_dealer)


def _parse_entry(fields: Fields, due: int) -> Entry:
    seq = fields.number("seq")
    if seq != due:
        raise RecordError(f"entry {seq}, where {due} is due")
    cause = fields.member("cause", Cause)
    name = fields.only_one_left()
    parse = _PARSERS.get(name)
    if parse is None:
        raise RecordError(f"unknown event {name!r}: one of {' '.join(_PARSERS)}")
    inner = fields.fields(name)
    event = parse(inner)
    inner.end()
    return Entry(seq, cause, event)


# One event each way


def _print_event(event: Event) -> tuple[str, dict[str, object]]:
    match event:
        case Dealt() | TrumpMade() | BidCardsLaid() | CardsShown() | CardPlayed():
            return _print_cards(event)
        case BidMade(seat, bid):
            return "bid", {"seat": seat, "bid": bid}
        case BidAmended(seat, bid):
            return "amended", {"seat": seat, "bid": bid}
        case BidsOpened(bids, states):
            opened = [
                bid if state == BidState.OPEN else None
                for bid, state in zip(bids, states, strict=True)
            ]
            return "bids", {"bids": opened}
        case TrickTaken(seat):
            return "trick", {"seat": seat}
        case DealScored():
            return "scored", event._asdict()
        case MatchEnded():
            return "ended", event._asdict()
        case _:
            assert_never(event)


def _print_cards(
    event: Dealt | TrumpMade | BidCardsLaid | CardsShown | CardPlayed,
) -> tuple[str, dict[str, object]]:
    match event:
        case Dealt():
            return "dealt", {
                "deal": event.deal,
                "kind": KIND_OF_NUMBER[event.deal_kind].value,
                "dealer": event.dealer,
                "size": event.size,
                **({"extra": True} if event.extra else {}),
                **({"forehead": True} if event.forehead else {}),
                "hands": _hands(event.cards, event.counts),
            }
        case TrumpMade(trump, upcard, seat):
            return "trump", {
                "trump": trump_text(trump),
                **({"upcard": card_text(upcard)} if upcard else {}),
                **({"seat": seat} if seat is not None else {}),
            }
        case BidCardsLaid():
            premium = event.premium_seat
            return "laid", {
                "hands": _hands(event.cards, event.counts),
                "claims": [Claim(claim).name for claim in event.claims],
                **({"premium_seat": premium} if premium is not None else {}),
            }
        case CardsShown(why, cards, counts):
            return "shown", {"why": ShownWhy(why).name, "hands": _hands(cards, counts)}
        case CardPlayed(seat, card, call):
            return "played", {
                "seat": seat,
                "card": card_text(card),
                **({"call": JokerCall(call).name} if call else {}),
            }
        case _:
            assert_never(event)


def _hands(cards: Sequence[int], counts: Sequence[int]) -> list[str]:
    return [cards_text(hand) for hand in split_by_seat(cards, counts)]


def _parse_dealt(fields: Fields) -> Event:
    kind = fields.text("kind")
    if kind not in DealKind.__members__.values():
        raise RecordError(f"unknown kind of deal {kind!r}")
    return Dealt(
        fields.number("deal"),
        KIND_NUMBER[DealKind(kind)],
        fields.number("dealer"),
        fields.number("size"),
        fields.mark("extra"),
        fields.mark("forehead"),
        *fields.hands("hands"),
    )


def _parse_trump(fields: Fields) -> Event:
    upcard = fields.card("upcard") if fields.has("upcard") else 0
    seat = fields.number("seat") if fields.has("seat") else None
    return TrumpMade(fields.trump("trump"), upcard, seat)


def _parse_bids(fields: Fields) -> Event:
    bids = fields.numbers_or_none("bids")
    return BidsOpened(
        tuple([bid or 0 for bid in bids]),
        tuple([BidState.NO_PART if b is None else BidState.OPEN for b in bids]),
    )


def _parse_laid(fields: Fields) -> Event:
    claims = fields.members("claims", Claim)
    cards, counts = fields.hands("hands")
    if len(claims) != len(counts):
        raise RecordError(f"{len(counts)} hands and {len(claims)} claims")
    seat = fields.number("premium_seat") if fields.has("premium_seat") else None
    if seat is not None and not 0 <= seat < len(claims):
        raise RecordError(f"premium_seat {seat} is no seat")
    kind = Claim.NONE if seat is None else claims[seat]
    return BidCardsLaid(cards, counts, seat, kind, tuple(claims))


def _parse_played(fields: Fields) -> Event:
    call = fields.member("call", JokerCall) if fields.has("call") else JokerCall.NONE
    return CardPlayed(fields.number("seat"), fields.card("card"), call)


_PARSERS: Final[Mapping[str, Callable[[Fields], Event]]] = {
    "dealt": _parse_dealt,
    "trump": _parse_trump,
    "bid": lambda fields: BidMade(fields.number("seat"), fields.number("bid")),
    "bids": _parse_bids,
    "laid": _parse_laid,
    "amended": lambda fields: BidAmended(fields.number("seat"), fields.number("bid")),
    "shown": lambda fields: CardsShown(
        fields.member("why", ShownWhy), *fields.hands("hands")
    ),
    "played": _parse_played,
    "trick": lambda fields: TrickTaken(fields.number("seat")),
    "scored": lambda fields: DealScored(
        fields.numbers("tricks"), fields.numbers("points"), fields.numbers("scores")
    ),
    "ended": lambda fields: MatchEnded(
        fields.numbers("scores"),
        fields.numbers("winners"),
        fields.numbers("ranks"),
        tuple(fields.texts("settlement_exact")),
        fields.numbers("settlement_whole"),
    ),
}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
