package bot

import "sort"

// Bot answers the prompts of one seat. A seat that may not see its own card is played by
// the library: there is nothing to choose.
//
// A bot may implement TrumpChooser, BidCardLayer, JokerCaller, Starter and Ender, too.
// One seat is never asked two things at the same time.
type Bot interface {
	// Bid gives one of view.LegalBids.
	Bid(view *View) int
	// Play gives one of view.LegalCards.
	Play(view *View) Card
}

// TrumpChooser names the trump suit; without it the longest suit, the first of equals.
type TrumpChooser interface {
	// ChooseTrump gives one of view.LegalSuits.
	ChooseTrump(view *View) Suit
}

// Laid is a bid made with three cards, and what is promised with them.
type Laid struct {
	Cards []Card
	Claim Claim
}

// BidCardLayer bids with cards; without it the three lowest, without a promise.
type BidCardLayer interface {
	// Lay gives three cards of view.Hand.
	Lay(view *View) Laid
}

// JokerCaller calls a joker that needs a call; without it every one is called low.
type JokerCaller interface {
	// CallJoker is asked after Play has chosen the joker.
	CallJoker(view *View, joker Card) JokerCall
}

// Starter is told of a match before its first prompt.
type Starter interface {
	MatchStart(match *Match)
}

// Ender is told how a match ended, also when it was cancelled or voided.
type Ender interface {
	MatchEnd(result Result)
}

// LowestFirst sorts a copy by rank order of the table, suits aside, then by code. Jesters
// come first, jokers and wizards last.
func LowestFirst(cards []Card, view *View) []Card {
	sorted := append([]Card(nil), cards...)
	rules := view.Match.Rules
	sort.Slice(sorted, func(i, j int) bool {
		a, b := rules.Strength(sorted[i]), rules.Strength(sorted[j])
		return a < b || a == b && sorted[i] < sorted[j]
	})
	return sorted
}

func longestSuit(view *View) Suit {
	held := map[Suit]int{}
	for _, card := range view.Hand {
		held[card.Suit()]++
	}
	var best Suit
	for _, suit := range view.LegalSuits {
		if best == NoSuit || held[suit] > held[best] || held[suit] == held[best] && suit < best {
			best = suit
		}
	}
	return best
}
