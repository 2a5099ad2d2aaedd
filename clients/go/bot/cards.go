package bot

import (
	"fmt"
	"strings"

	ohhellv1 "ohhell.dev/ohhell/v1"
)

// Card is the code of a card, 1..74; NoCard is never a card.
type Card int32

// NoCard stands where there is no card, or none that the seat may see.
const NoCard Card = 0

const cardCodes = 75

type cardFacts struct {
	text    string
	suit    Suit
	rank    int
	special byte // 'X' jokers, 'W' wizards, 'F' jesters
}

var facts = func() (table [cardCodes]cardFacts) {
	table[NoCard].text = "--"
	for code := Card(1); code < cardCodes; code++ {
		text := strings.TrimPrefix(ohhellv1.Card_name[int32(code)], "CARD_")
		fact := cardFacts{text: text}
		suit := strings.IndexByte("CDHS", text[1])
		switch {
		case suit < 0:
			fact.special = text[0]
			if text[0] == 'X' {
				fact.suit = JokerSuit
			}
		case strings.IndexByte("SCR", text[0]) >= 0:
			fact.suit = Clubs + Suit(suit)
			fact.rank = 11 + strings.IndexByte("SCR", text[0])
		default:
			fact.suit = Clubs + Suit(suit)
			fact.rank = 2 + strings.IndexByte("23456789TJQKA", text[0])
		}
		table[code] = fact
	}
	return table
}()

var byText = func() map[string]Card {
	table := map[string]Card{}
	for code := Card(1); code < cardCodes; code++ {
		table[facts[code].text] = code
	}
	return table
}()

func (c Card) exists() bool { return 0 < c && c < cardCodes }

func (c Card) fact() cardFacts {
	if !c.exists() && c != NoCard {
		return cardFacts{text: fmt.Sprintf("card %d", int32(c))}
	}
	return facts[c]
}

// String gives two characters, as in TH, X1, RS; -- for no card.
func (c Card) String() string { return c.fact().text }

// Suit is JokerSuit for jokers, NoSuit for wizards and jesters.
func (c Card) Suit() Suit { return c.fact().suit }

// Rank is 2..14 (ace), 11..13 for Spanish court cards, 0 for special cards. What beats
// what depends on the rank order of the table: see Rules.Strength.
func (c Card) Rank() int { return c.fact().rank }

// IsJoker tells whether it is one of the two jokers.
func (c Card) IsJoker() bool { return c.fact().special == 'X' }

// IsWizard tells whether it is one of the four wizards.
func (c Card) IsWizard() bool { return c.fact().special == 'W' }

// IsJester tells whether it is one of the four jesters.
func (c Card) IsJester() bool { return c.fact().special == 'F' }

// ParseCard is the inverse of String.
func ParseCard(text string) (Card, error) {
	if card, ok := byText[text]; ok {
		return card, nil
	}
	return NoCard, fmt.Errorf("%q is no card: a rank (2..9 T J Q K A, or S C R in the Spanish"+
		" pack) and a suit (C D H S), or X1 X2, W1..W4, F1..F4", text)
}

// ParseCards reads cards separated by spaces.
func ParseCards(text string) ([]Card, error) {
	var cards []Card
	for _, word := range strings.Fields(text) {
		card, err := ParseCard(word)
		if err != nil {
			return nil, err
		}
		cards = append(cards, card)
	}
	return cards, nil
}

func cardsText(cards []Card) string {
	texts := make([]string, len(cards))
	for i, card := range cards {
		texts[i] = card.String()
	}
	return strings.Join(texts, " ")
}
