package bot

import (
	"encoding/json"
	"strings"
	"sync"

	ohhellv1 "ohhell.dev/ohhell/v1"
)

// AboveAllRanks is the strength of jokers and wizards; every rank is below.
const AboveAllRanks = 20

var (
	frenchOrder  = []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}
	spanishOrder = []int{2, 4, 5, 6, 7, 11, 12, 13, 3, 14}
)

// Scoring has the coefficients of a score. With d = |tricks - bid|:
//
//	made a bid: A + B*bid + Q*bid*bid; made zero: Z0 + Zc*size
//	missed: M0 + Mt*tricks + Md*d + Mq*d*d; a seat without a bid gets its tricks
type Scoring struct{ A, B, Q, Z0, Zc, M0, Mt, Md, Mq int }

// Rules is a resolved rule set. The words are those of the parameter reference.
type Rules struct {
	Preset             string
	Players            int
	Hash               string
	Parameters         map[string]any // every parameter, by name
	Pack               []Card
	PlanSizes          []int
	PlanKinds          []DealKind
	PlanOpenEnded      bool
	Scoring            *Scoring // nil where the scheme is not of the common formula
	BidMode            string
	Hook               bool
	HookMinCards       int
	NoBidAtScore       *int
	Forehead           string
	FirstLeader        string
	MustTrump          bool
	MustOvertrump      bool
	MustHead           bool
	JokerMode          string
	JokerOppositeScope string
	DuplicateWinner    string
	TrumpMethod        string
	TrumpSequence      []Suit
	End                string
	TargetScore        *int
	Overshoot          string
	TiePolicy          string
	MaxDeals           *int

	ranking  sync.Once
	strength [cardCodes]int
}

func rulesFrom(wire *ohhellv1.Rules) *Rules {
	rules := &Rules{
		Preset:             wire.GetPreset(),
		Players:            int(wire.GetPlayers()),
		Hash:               wire.GetHash(),
		Pack:               listOf[Card](wire.GetPack()),
		PlanSizes:          listOf[int](wire.GetPlanSizes()),
		PlanKinds:          listOf[DealKind](wire.GetPlanKinds()),
		PlanOpenEnded:      wire.GetPlanOpenEnded(),
		BidMode:            wire.GetBidMode(),
		Hook:               wire.GetHook(),
		HookMinCards:       int(wire.GetHookMinCards()),
		NoBidAtScore:       optional(wire.NoBidAtScore),
		Forehead:           wire.GetForehead(),
		FirstLeader:        wire.GetFirstLeader(),
		MustTrump:          wire.GetMustTrump(),
		MustOvertrump:      wire.GetMustOvertrump(),
		MustHead:           wire.GetMustHead(),
		JokerMode:          wire.GetJokerMode(),
		JokerOppositeScope: wire.GetJokerOppositeScope(),
		DuplicateWinner:    wire.GetDuplicateWinner(),
		TrumpMethod:        wire.GetTrumpMethod(),
		TrumpSequence:      listOf[Suit](wire.GetTrumpSequence()),
		End:                wire.GetEnd(),
		TargetScore:        optional(wire.TargetScore),
		Overshoot:          wire.GetOvershoot(),
		TiePolicy:          wire.GetTiePolicy(),
		MaxDeals:           optional(wire.MaxDeals),
	}
	if text := wire.GetParameters(); text != "" {
		// A service that sends no JSON here has still told all that follows from it.
		_ = json.Unmarshal([]byte(text), &rules.Parameters)
	}
	if s := wire.GetScoring(); s != nil {
		rules.Scoring = &Scoring{
			A: int(s.A), B: int(s.B), Q: int(s.Q), Z0: int(s.Z0), Zc: int(s.Zc),
			M0: int(s.M0), Mt: int(s.Mt), Md: int(s.Md), Mq: int(s.Mq),
		}
	}
	return rules
}

func (r *Rules) rank() {
	order := frenchOrder
	for _, card := range r.Pack {
		if card.Rank() > 0 && strings.Contains("SCR", card.String()[:1]) {
			order = spanishOrder
			break
		}
	}
	for place, rank := range order {
		for card := Card(1); card < cardCodes; card++ {
			if card.Rank() == rank {
				r.strength[card] = place + 1
			}
		}
	}
	for card := Card(1); card < cardCodes; card++ {
		if card.IsJoker() || card.IsWizard() {
			r.strength[card] = AboveAllRanks
		}
	}
}

// Strength is the place of the card's rank in the rank order of the table, from 1; zero
// for jesters, AboveAllRanks for jokers and wizards.
func (r *Rules) Strength(card Card) int {
	if !card.exists() {
		return 0
	}
	r.ranking.Do(r.rank)
	return r.strength[card]
}

// IsSuitless tells of wizards, of jesters, and of jokers where they are no suit.
func (r *Rules) IsSuitless(card Card) bool {
	return card.IsWizard() || card.IsJester() || card.IsJoker() && r.JokerMode == "high_low"
}

// LedSuit is what the cards of a trick, in order of play, ask for; NoSuit for no suit.
func (r *Rules) LedSuit(trick []Card) Suit {
	for _, card := range trick {
		if !r.IsSuitless(card) {
			return card.Suit()
		}
		if card.IsWizard() {
			return NoSuit
		}
	}
	return NoSuit
}

// Clock is in milliseconds; all zero where there is no clock.
type Clock struct{ PerDecisionMs, BankMs, IncrementMs, GraceMs int }

// Match is one seat of one match.
type Match struct {
	Seat        int
	Rules       *Rules
	BotSeed     []byte // what a bot's chance may depend on: 16 bytes
	Table       string
	Players     []string
	FirstDealer int
	Clock       Clock
	Amendments  bool
}

func matchFrom(wire *ohhellv1.SeatAssigned, rules *Rules) *Match {
	clock := wire.GetClock()
	return &Match{
		Seat:        int(wire.GetSeat()),
		Rules:       rules,
		BotSeed:     wire.GetBotSeed(),
		Table:       wire.GetTable(),
		Players:     wire.GetPlayers(),
		FirstDealer: int(wire.GetFirstDealer()),
		Clock: Clock{
			PerDecisionMs: int(clock.GetPerDecisionMs()),
			BankMs:        int(clock.GetBankMs()),
			IncrementMs:   int(clock.GetIncrementMs()),
			GraceMs:       int(clock.GetGraceMs()),
		},
		Amendments: wire.GetAmendments(),
	}
}

// Seats is the number of players.
func (m *Match) Seats() int { return m.Rules.Players }

// Result is how a match ended for a seat: final totals by seat, and the seats that won.
type Result struct {
	Match   *Match
	Reason  EndReason
	Scores  []int
	Winners []int
}

type number interface {
	~int | ~int32 | ~uint32
}

// listOf copies numbers of the wire, those of later revisions included.
func listOf[To, From number](wire []From) []To {
	if len(wire) == 0 {
		return nil
	}
	list := make([]To, len(wire))
	for i, value := range wire {
		list[i] = To(value)
	}
	return list
}

func optional(wire *uint32) *int {
	if wire == nil {
		return nil
	}
	value := int(*wire)
	return &value
}
