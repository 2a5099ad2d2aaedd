package bot

import (
	"fmt"
	"strings"

	ohhellv1 "ohhell.dev/ohhell/v1"
)

// Absent stands for a bid that was not made or is not open to the seat, and for a seat
// where there is none.
const Absent = -1

// Powers of cards within one trick, far enough apart for every strength to fit between.
const (
	ofLedSuit = 100
	ofTrump   = 200
	outright  = 300
)

// Played is a card on the table and the seat that played it.
type Played struct {
	Seat int
	Card Card
}

// View is what one seat may know now, and what it is asked. Lists "by seat" have an item
// for every seat. The fields have the names of the message View.
type View struct {
	Match *Match // what does not change during the match

	Handle   uint32
	Seq      uint32
	Seat     int
	Ask      Ask
	Attempt  int
	LimitMs  int
	BankMs   int
	Phase    Phase
	Deal     int
	DealKind DealKind
	Dealer   int
	Size     int
	Trump    Suit // UnknownTrump, a suit, or NoTrump
	Upcard   Card
	Forehead bool
	Extra    bool

	Hand       []Card
	LegalBids  []int
	LegalCards []Card
	LegalSuits []Suit
	ToAct      []int
	AmendBids  []int

	Bids      []int // by seat; Absent where not made, or not open
	BidStates []BidState
	Tricks    []int
	Scores    []int

	Plays       []Card
	Leaders     []int
	JokerCalls  []JokerCall
	Call        CallRule
	ShownCards  []Card
	ShownCounts []int
	ShownWhy    []ShownWhy
	BidCards    []Card
	Claim       Claim
	PremiumSeat int // Absent where nobody has it
	PremiumKind Claim

	rng *Draws
}

func viewFrom(wire *ohhellv1.View, match *Match) *View {
	view := &View{
		Match:       match,
		Handle:      wire.Handle,
		Seq:         wire.Seq,
		Seat:        int(wire.GetSeat()),
		Ask:         Ask(wire.Ask),
		Attempt:     int(wire.Attempt),
		LimitMs:     int(wire.LimitMs),
		BankMs:      int(wire.BankMs),
		Phase:       Phase(wire.Phase),
		Deal:        int(wire.Deal),
		DealKind:    DealKind(wire.DealKind),
		Dealer:      int(wire.Dealer),
		Size:        int(wire.Size),
		Trump:       Suit(wire.Trump),
		Upcard:      Card(wire.Upcard),
		Forehead:    wire.Forehead,
		Extra:       wire.Extra,
		Hand:        listOf[Card](wire.Hand),
		LegalBids:   listOf[int](wire.LegalBids),
		LegalCards:  listOf[Card](wire.LegalCards),
		LegalSuits:  listOf[Suit](wire.LegalSuits),
		ToAct:       listOf[int](wire.ToAct),
		AmendBids:   listOf[int](wire.AmendBids),
		Bids:        listOf[int](wire.Bids),
		BidStates:   listOf[BidState](wire.BidStates),
		Tricks:      listOf[int](wire.Tricks),
		Scores:      listOf[int](wire.Scores),
		Plays:       listOf[Card](wire.Plays),
		Leaders:     listOf[int](wire.Leaders),
		JokerCalls:  listOf[JokerCall](wire.JokerCalls),
		Call:        CallRule(wire.Call),
		ShownCards:  listOf[Card](wire.ShownCards),
		ShownCounts: listOf[int](wire.ShownCounts),
		ShownWhy:    listOf[ShownWhy](wire.ShownWhy),
		BidCards:    listOf[Card](wire.BidCards),
		Claim:       Claim(wire.Claim),
		PremiumSeat: Absent,
		PremiumKind: Claim(wire.PremiumKind),
	}
	for seat := range view.Bids {
		if seat >= len(view.BidStates) || view.BidStates[seat] != Open {
			view.Bids[seat] = Absent
		}
	}
	if wire.PremiumSeat != nil {
		view.PremiumSeat = int(*wire.PremiumSeat)
	}
	return view
}

// Rng is chance that depends on Match.BotSeed and Seq alone.
func (v *View) Rng() *Draws {
	if v.rng == nil {
		v.rng = NewDraws(v.Match.BotSeed, v.Seq)
	}
	return v.rng
}

// MyBid is Absent where the seat has no open bid.
func (v *View) MyBid() int { return v.Bids[v.Match.Seat] }

// MyTricks are the tricks that this seat has taken in this deal.
func (v *View) MyTricks() int { return v.Tricks[v.Match.Seat] }

// Needed are the tricks still missing to the own bid, below zero beyond it; zero where the
// seat has no open bid.
func (v *View) Needed() int {
	if v.MyBid() == Absent {
		return 0
	}
	return v.MyBid() - v.MyTricks()
}

// TricksLeft are the tricks not taken yet in this deal, the one on the table included.
func (v *View) TricksLeft() int {
	left := v.Size
	for _, tricks := range v.Tricks {
		left -= tricks
	}
	return left
}

// Trick has the cards of the unfinished trick in order of play; empty for the leader.
func (v *View) Trick() []Played {
	seats := v.Match.Seats()
	start := len(v.Plays) / seats * seats
	if start == len(v.Plays) {
		return nil
	}
	leader := v.Leaders[start/seats]
	trick := make([]Played, 0, seats)
	for i, card := range v.Plays[start:] {
		trick = append(trick, Played{Seat: (leader + i) % seats, Card: card})
	}
	return trick
}

func (v *View) trickCards() []Card {
	seats := v.Match.Seats()
	return v.Plays[len(v.Plays)/seats*seats:]
}

// LedSuit is the suit to be followed in the unfinished trick; NoSuit where there is none.
func (v *View) LedSuit() Suit { return v.Match.Rules.LedSuit(v.trickCards()) }

// Position is the number of seats that play to this trick, or bid in this deal, before
// this one.
func (v *View) Position() int {
	if v.Ask == AskPlay {
		return len(v.trickCards())
	}
	seats := v.Match.Seats()
	return (v.Match.Seat - v.Dealer - 1 + 2*seats) % seats
}

// PlaysLast tells whether this seat's card completes the trick.
func (v *View) PlaysLast() bool { return len(v.trickCards()) == v.Match.Seats()-1 }

// Unseen has the cards whose place is not known, by code: in other hands, or not dealt.
// That is the pack without the own hand and bid cards, everything played, the upcard, and
// what others show.
func (v *View) Unseen() []Card {
	seen := map[Card]int{v.Upcard: 1}
	for _, cards := range [][]Card{v.Hand, v.Plays, v.BidCards, v.ShownCards} {
		for _, card := range cards {
			seen[card]++
		}
	}
	var unseen []Card
	for _, card := range v.Match.Rules.Pack {
		if seen[card] > 0 {
			seen[card]--
		} else {
			unseen = append(unseen, card)
		}
	}
	return unseen
}

// WinnerSoFar is the card that wins the unfinished trick as it lies; false for the leader.
func (v *View) WinnerSoFar() (Played, bool) {
	place, _ := v.best()
	if place < 0 {
		return Played{}, false
	}
	return v.Trick()[place], true
}

// Wins tells whether a card played now would be the winning one so far. The call counts
// only for a joker that needs one; a fixed value is known anyway.
func (v *View) Wins(card Card, call JokerCall) bool {
	trick := v.trickCards()
	if len(trick) == 0 {
		return true
	}
	if card.IsJoker() && v.Call == FixedHigh {
		call = High
	} else if card.IsJoker() && v.Call == FixedLow {
		call = Low
	}
	led := v.LedSuit()
	if led == NoSuit {
		led = v.Match.Rules.LedSuit(append(append([]Card(nil), trick...), card))
	}
	place, power := v.best()
	return v.beats(card, v.power(card, led, call), trick[place], power)
}

// best gives place in the trick and power of the card that wins so far, or (-1, -1).
func (v *View) best() (place, power int) {
	place, power = -1, -1
	trick, led := v.trickCards(), v.LedSuit()
	jokers := 0
	for _, card := range trick {
		if card.IsJoker() {
			jokers++
		}
	}
	calls := v.JokerCalls[max(0, len(v.JokerCalls)-jokers):]
	for i, card := range trick {
		call := NoCall
		if card.IsJoker() && len(calls) > 0 {
			call, calls = calls[0], calls[1:]
		}
		own := v.power(card, led, call)
		if place < 0 || v.beats(card, own, trick[place], power) {
			place, power = i, own
		}
	}
	return place, power
}

func (v *View) power(card Card, led Suit, call JokerCall) int {
	rules := v.Match.Rules
	switch {
	case rules.IsSuitless(card):
		if card.IsWizard() || call == High {
			return outright
		}
		return 0
	case card.Suit() == v.Trump:
		return ofTrump + rules.Strength(card)
	case card.Suit() == led:
		return ofLedSuit + rules.Strength(card)
	}
	return 0
}

func (v *View) beats(card Card, power int, best Card, bestPower int) bool {
	if power == bestPower && card == best && power > 0 {
		return v.Match.Rules.DuplicateWinner == "last"
	}
	return power > bestPower
}

// String is one paragraph for a log: enough to know the position again.
func (v *View) String() string {
	parts := []string{
		fmt.Sprintf("table %s seat %d", v.Match.Table, v.Match.Seat),
		fmt.Sprintf("decision %d attempt %d: %v", v.Seq, v.Attempt, v.Ask),
		fmt.Sprintf("deal %d of %d cards, dealer %d, trump %v, upcard %v",
			v.Deal, v.Size, v.Dealer, v.Trump, v.Upcard),
		fmt.Sprintf("hand %s", cardsText(v.Hand)),
		fmt.Sprintf("bids %v tricks %v", v.Bids, v.Tricks),
	}
	switch v.Ask {
	case AskBid:
		parts = append(parts, fmt.Sprintf("legal %v", v.LegalBids))
	case AskPlay:
		parts = append(parts, fmt.Sprintf("trick %s", cardsText(v.trickCards())),
			fmt.Sprintf("legal %s", cardsText(v.LegalCards)))
	case AskTrump:
		parts = append(parts, fmt.Sprintf("legal %v", v.LegalSuits))
	}
	return strings.Join(parts, "; ")
}
