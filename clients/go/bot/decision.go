package bot

import (
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	ohhellv1 "ohhell.dev/ohhell/v1"
)

const (
	bidCards  = 3
	noteBytes = 256
)

// mistake is an answer that cannot be sent. The stack is empty where the message says it all.
type mistake struct {
	why   string
	stack string
}

// decide asks the bot, and makes its answer a frame. Legality is for the table.
func decide(newBot func() Bot, view *View) (frame *ohhellv1.ClientFrame, wrong *mistake) {
	defer func() {
		if reason := recover(); reason != nil {
			frame = nil
			wrong = &mistake{why: fmt.Sprint(reason), stack: string(debug.Stack())}
		}
	}()
	player := newBot()
	answer := &ohhellv1.Answer{
		Handle: view.Handle, Seq: view.Seq, Attempt: uint32(view.Attempt),
	}
	switch view.Ask {
	case AskBid:
		bid := player.Bid(view)
		if bid < 0 || bid > math.MaxUint32 {
			return nil, &mistake{why: fmt.Sprintf("Bid returned %d, which is no number of tricks", bid)}
		}
		answer.Action = &ohhellv1.Answer_Bid{Bid: uint32(bid)}
	case AskPlay:
		card := NoCard
		if len(view.LegalCards) > 0 {
			card = player.Play(view)
		}
		if card != NoCard && !card.exists() {
			return nil, &mistake{why: fmt.Sprintf("Play returned %d, which is not a card", card)}
		}
		answer.Action = &ohhellv1.Answer_Card{Card: ohhellv1.Card(card)}
		if card.IsJoker() && view.Call == CallRequired {
			answer.Call = ohhellv1.JokerCall(callOf(player, view, card))
		}
	case AskTrump:
		answer.Action = &ohhellv1.Answer_Trump{Trump: ohhellv1.Suit(trumpOf(player, view))}
	case AskBidCards:
		laid := laidBy(player, view)
		cards := listOf[ohhellv1.Card](laid.Cards)
		answer.Action = &ohhellv1.Answer_BidCards{
			BidCards: &ohhellv1.BidCards{Cards: cards, Claim: ohhellv1.Claim(laid.Claim)},
		}
	default:
		return nil, &mistake{
			why: fmt.Sprintf("a question of a kind that this library does not know: %v", view.Ask),
		}
	}
	return &ohhellv1.ClientFrame{Body: &ohhellv1.ClientFrame_Answer{Answer: answer}}, nil
}

func callOf(player Bot, view *View, joker Card) JokerCall {
	if caller, ok := player.(JokerCaller); ok {
		return caller.CallJoker(view, joker)
	}
	return Low
}

func trumpOf(player Bot, view *View) Suit {
	if chooser, ok := player.(TrumpChooser); ok {
		return chooser.ChooseTrump(view)
	}
	return longestSuit(view)
}

func laidBy(player Bot, view *View) Laid {
	if layer, ok := player.(BidCardLayer); ok {
		return layer.Lay(view)
	}
	return Laid{Cards: LowestFirst(view.Hand, view)[:bidCards]}
}

// noAnswer has no action: the table sees at once that the bot has none.
func noAnswer(prompt *ohhellv1.View, why string) *ohhellv1.ClientFrame {
	return &ohhellv1.ClientFrame{Body: &ohhellv1.ClientFrame_Answer{Answer: &ohhellv1.Answer{
		Handle: prompt.Handle, Seq: prompt.Seq, Attempt: prompt.Attempt, Note: cut(why),
	}}}
}

// cut leaves what the wire allows, whole characters only: a message with a byte that is no
// text would not be sent at all, and the stream would end with it.
func cut(note string) string {
	note = strings.ToValidUTF8(note, "?")
	if len(note) <= noteBytes {
		return note
	}
	end := noteBytes
	for end > 0 && !utf8.RuneStart(note[end]) {
		end--
	}
	return note[:end]
}
