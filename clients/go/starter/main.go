// A first bot: count likely tricks, take them while they are needed, then duck.
//
// In the spec of a tournament: command = ["./bot"], after go build -o bot .
package main

import (
	"cmp"
	"slices"

	"ohhell.dev/bot"
)

const king = 13

type myBot struct{}

// Bid is the legal bid nearest to the number of aces, kings and high trumps.
func (myBot) Bid(view *bot.View) int {
	likely := 0
	for _, card := range view.Hand {
		if isStrong(view, card) {
			likely++
		}
	}
	return slices.MinFunc(view.LegalBids, func(a, b int) int {
		return cmp.Compare(abs(a-likely), abs(b-likely))
	})
}

// Play: every card in LegalCards is allowed; the question is which one is wise.
func (myBot) Play(view *bot.View) bot.Card {
	cards := bot.LowestFirst(view.LegalCards, view)
	slices.SortStableFunc(cards, func(a, b bot.Card) int {
		return cmp.Compare(strength(view, a), strength(view, b))
	})
	var winners, losers []bot.Card
	for _, card := range cards {
		if view.Wins(card, bot.NoCall) {
			winners = append(winners, card)
		} else {
			losers = append(losers, card)
		}
	}
	switch {
	case view.Needed() > 0 && len(winners) > 0 && len(view.Trick()) > 0:
		return winners[0] // as cheaply as possible
	case view.Needed() > 0 && len(winners) > 0:
		return winners[len(winners)-1]
	case view.Needed() <= 0 && len(losers) > 0:
		return losers[len(losers)-1] // the most dangerous card that does not win
	}
	return cards[0]
}

func isStrong(view *bot.View, card bot.Card) bool {
	if card.Suit() == view.Trump {
		return card.Rank() > 8
	}
	return card.Rank() >= king
}

// A trump is above every card of another suit.
func strength(view *bot.View, card bot.Card) int {
	if card.Suit() == view.Trump {
		return 20 + view.Match.Rules.Strength(card)
	}
	return view.Match.Rules.Strength(card)
}

func abs(n int) int { return max(n, -n) }

func main() { bot.Run(func() bot.Bot { return myBot{} }) }
