"""The port between a bot's session and the stream that it has just now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from server.decision import Question
    from server.notice import Notice
    from server.outcome import Outcome
    from server.players.farewell import Farewell
    from server.players.port import Withdrawal
    from server.players.seat import Seat


class Transport(Protocol):
    """A stream that is there now; calls only note what is to be sent."""

    def seated(self, seat: Seat) -> None:
        """A new seat, or one of an earlier stream."""

    def notify(self) -> None:
        """Questions are ready: the transport will call `Session.take`."""

    def news(self, seat: Seat) -> None:
        """The seat may have entries that it has not been sent."""

    def notice(self, seat: Seat, notice: Notice) -> None:
        """Something beside the entries of the seat's table."""

    def drain(self, milliseconds: int) -> None:
        """The service goes down within so many milliseconds."""

    def withdraw(self, seat: Seat, question: Question, why: Withdrawal) -> None:
        """A question that was sent is void."""

    def ended(self, seat: Seat, outcome: Outcome | None) -> None:
        """The seat's match is over; None: for this seat, which its bot has left."""

    def farewell(self, farewell: Farewell) -> None:
        """A seat of an earlier stream, which is over."""

    def close(self, why: str) -> None:
        """The stream is to end."""

    def fail(self, error: Exception) -> None:
        """The stream is to end because of our own mistake."""

    @property
    def waiting(self) -> int:
        """Frames that wait to be sent."""
