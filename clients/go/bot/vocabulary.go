package bot

import "fmt"

// Suit is a suit of cards, or a trump: the numbers are the same.
type Suit int32

// Suits, and what else a trump may be.
const (
	NoSuit       Suit = 0
	Clubs        Suit = 1
	Diamonds     Suit = 2
	Hearts       Suit = 3
	Spades       Suit = 4
	JokerSuit    Suit = 5
	NoTrump      Suit = 6 // the deal is played without trump
	UnknownTrump      = NoSuit
)

// Ask is what a prompt asks for.
type Ask int32

// The questions.
const (
	AskNothing  Ask = 0
	AskBid      Ask = 1
	AskPlay     Ask = 2
	AskTrump    Ask = 3
	AskBidCards Ask = 4
)

// Phase is where a match stands.
type Phase int32

// The phases.
const (
	NotBegun    Phase = 0
	TrumpChoice Phase = 1
	Bidding     Phase = 2
	Playing     Phase = 3
	Over        Phase = 4
)

// DealKind is the kind of one deal.
type DealKind int32

// The kinds of deals.
const (
	NoDeal        DealKind = 0
	Normal        DealKind = 1
	WithoutTrump  DealKind = 2
	MisereTrump   DealKind = 3
	MisereNoTrump DealKind = 4
	GuessTrump    DealKind = 5
	Blind         DealKind = 6
	BlindInOrder  DealKind = 7
)

// BidState is what is known of one seat's bid.
type BidState int32

// The states of a bid. A seat with NoPart scores one for each trick; Misere counts as a
// bid of zero.
const (
	NotYet BidState = 1
	Hidden BidState = 2
	Open   BidState = 3
	NoPart BidState = 4
	Misere BidState = 5
)

// JokerCall is what a joker is called.
type JokerCall int32

// The calls.
const (
	NoCall JokerCall = 0
	High   JokerCall = 1
	Low    JokerCall = 2
)

// CallRule is what a joker played now needs: only CallRequired takes a call.
type CallRule int32

// The rules of calling.
const (
	CallNone     CallRule = 1
	CallRequired CallRule = 2
	FixedHigh    CallRule = 3
	FixedLow     CallRule = 4
)

// Claim is what a seat promises with its bid cards.
type Claim int32

// The claims.
const (
	NoClaim Claim = 0
	Declare Claim = 1
	Reveal  Claim = 2
)

// ShownWhy is why cards that are normally hidden are open.
type ShownWhy int32

// The reasons.
const (
	NotShown            ShownWhy = 0
	ShownForehead       ShownWhy = 1
	ShownBidsIn         ShownWhy = 2
	ShownDeclare        ShownWhy = 3
	ShownReveal         ShownWhy = 4
	ShownDealerLastCard ShownWhy = 5
)

// EndReason is why a match ended.
type EndReason int32

// The ends.
const (
	EndPlayed    EndReason = 1
	EndCancelled EndReason = 2
	EndVoided    EndReason = 3
	EndLeft      EndReason = 4
)

func nameOf(number int, names ...string) string {
	if number < len(names) && names[number] != "" {
		return names[number]
	}
	return fmt.Sprint(number)
}

// String names the suit or trump.
func (s Suit) String() string {
	return nameOf(int(s), "none", "clubs", "diamonds", "hearts", "spades", "jokers", "no trump")
}

// String names the question.
func (a Ask) String() string {
	return nameOf(int(a), "nothing", "bid", "play", "trump", "bid cards")
}
