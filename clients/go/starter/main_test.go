package main

import (
	"testing"

	"ohhell.dev/bot"
)

func cards(t *testing.T, text string) []bot.Card {
	t.Helper()
	list, err := bot.ParseCards(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// position is seat 0's of three, with hearts as trump and nothing bid yet.
func position(t *testing.T, hand string) *bot.View {
	t.Helper()
	return &bot.View{
		Match: &bot.Match{Rules: &bot.Rules{Players: 3}},
		Trump: bot.Hearts,
		Hand:  cards(t, hand),
		Bids:  []int{bot.Absent, bot.Absent, bot.Absent},
	}
}

func TestItBidsWhatIsLikelyOrTheNearestThatIsLegal(t *testing.T) {
	view := position(t, "AS KD 9H 2H 3C")
	view.LegalBids = []int{0, 1, 2, 3, 4, 5}
	if bid := (myBot{}).Bid(view); bid != 3 {
		t.Errorf("bid %d", bid)
	}
	view.LegalBids = []int{0, 1, 2, 5}
	if bid := (myBot{}).Bid(view); bid != 2 {
		t.Errorf("bid %d", bid)
	}
}

func TestItTakesATrickCheaplyWhileItNeedsOneAndThenDucks(t *testing.T) {
	view := position(t, "2S TS QS AS")
	view.LegalCards = view.Hand
	view.Plays, view.Leaders = cards(t, "9S"), []int{2}
	view.Tricks = []int{0, 0, 0}
	for bid, wanted := range map[int]string{1: "TS", 0: "2S"} {
		view.Bids = []int{bid, 0, 0}
		if card := (myBot{}).Play(view); card.String() != wanted {
			t.Errorf("with a bid of %d: %v", bid, card)
		}
	}
}
