import asyncio

from bots.lowest import Lowest
from ohhell_bot import Bot, View, run


class HangOnce(Bot):
    """Async, so that one decision can hang while others are made."""

    def __init__(self) -> None:
        self._sane = Lowest()
        self._hung = False

    async def _hang_the_first_time(self) -> None:
        if not self._hung:
            self._hung = True
            await asyncio.Event().wait()

    async def bid(self, view: View) -> int:
        await self._hang_the_first_time()
        return self._sane.bid(view)

    async def play(self, view: View) -> int:
        await self._hang_the_first_time()
        return self._sane.play(view)


if __name__ == "__main__":
    run(HangOnce(), workers=2)
