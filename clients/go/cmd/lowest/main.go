// Lowest plays without chance or judgement: the lowest legal bid, the lowest legal card.
package main

import (
	"slices"

	"ohhell.dev/bot"
)

// lowest leaves everything else to what the library does by itself.
type lowest struct{}

func (lowest) Bid(view *bot.View) int { return slices.Min(view.LegalBids) }

func (lowest) Play(view *bot.View) bot.Card {
	return bot.LowestFirst(view.LegalCards, view)[0]
}

func main() { bot.Run(func() bot.Bot { return lowest{} }) }
