import asyncio
from typing import NoReturn

from ohhell_bot import Bot, View, run


async def forever() -> NoReturn:
    while True:
        await asyncio.Event().wait()


class HangForever(Bot):
    async def bid(self, view: View) -> int:
        await forever()

    async def play(self, view: View) -> int:
        await forever()


if __name__ == "__main__":
    run(HangForever())
