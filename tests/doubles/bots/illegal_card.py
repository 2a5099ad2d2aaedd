from ohhell_bot import Bot, View, run


class IllegalCard(Bot):
    def bid(self, view: View) -> int:
        return view.size + 1

    def play(self, view: View) -> int:
        return next(card for card in view.match.rules.pack if card not in view.hand)


if __name__ == "__main__":
    run(IllegalCard)
