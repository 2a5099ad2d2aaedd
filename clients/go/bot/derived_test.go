package bot

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	ohhellv1 "ohhell.dev/ohhell/v1"
)

// derived is a line of derived.jsonl: what a view says beyond its prompt.
type derived struct {
	Script      string
	Seq, Handle uint32
	Trick       [][2]int
	LedSuit     Suit    `json:"led_suit"`
	Position    int     `json:"position"`
	PlaysLast   bool    `json:"plays_last"`
	WinnerSoFar *[2]int `json:"winner_so_far"`
	MyBid       *int    `json:"my_bid"`
	MyTricks    int     `json:"my_tricks"`
	Needed      int
	TricksLeft  int `json:"tricks_left"`
	Unseen      []Card
	Strength    []int
	Wins        [][3]bool
	Words       [2]uint32
}

func derivedFrom(script string, view *View) derived {
	says := derived{
		Script: script, Seq: view.Seq, Handle: view.Handle,
		Trick: [][2]int{}, LedSuit: view.LedSuit(), Position: view.Position(),
		PlaysLast: view.PlaysLast(), MyTricks: view.MyTricks(), Needed: view.Needed(),
		TricksLeft: view.TricksLeft(), Unseen: append([]Card{}, view.Unseen()...),
		Strength: []int{}, Wins: [][3]bool{},
		Words: [2]uint32{view.Rng().Word(), view.Rng().Word()},
	}
	for _, played := range view.Trick() {
		says.Trick = append(says.Trick, [2]int{played.Seat, int(played.Card)})
	}
	if winner, ok := view.WinnerSoFar(); ok {
		says.WinnerSoFar = &[2]int{winner.Seat, int(winner.Card)}
	}
	if bid := view.MyBid(); bid != Absent {
		says.MyBid = &bid
	}
	for _, card := range view.Hand {
		says.Strength = append(says.Strength, view.Match.Rules.Strength(card))
		says.Wins = append(says.Wins, [3]bool{
			view.Wins(card, NoCall), view.Wins(card, High), view.Wins(card, Low),
		})
	}
	return says
}

func TestViewsSayWhatTheySayInEveryLanguage(t *testing.T) {
	scripts := readScripts(t)
	file, err := os.Open(scriptFolder + "/derived.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	prompts := map[string][]*View{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for count := 1; lines.Scan(); count++ {
		var kept derived
		decode(t, lines.Bytes(), &kept)
		if prompts[kept.Script] == nil {
			prompts[kept.Script] = viewsOf(t, scripts[kept.Script])
		}
		view := prompts[kept.Script][0]
		prompts[kept.Script] = prompts[kept.Script][1:]
		if says := derivedFrom(kept.Script, view); !reflect.DeepEqual(says, kept) {
			got, _ := json.Marshal(says)
			t.Errorf("line %d: %s\n%s\nnot\n%s", count, view, got, lines.Bytes())
		}
	}
	for name, rest := range prompts {
		if len(rest) > 0 {
			t.Errorf("%s has %d prompts more", name, len(rest))
		}
	}
	if len(prompts) == 0 {
		t.Error("nothing was compared")
	}
}

func viewsOf(t *testing.T, script script) []*View {
	t.Helper()
	held := newSeats(func() Bot { return lowest{} }, quiet())
	handles := map[uint32]*seat{}
	var views []*View
	for _, step := range script.Steps {
		if step["service"] == nil {
			continue
		}
		for _, frame := range framesOf[ohhellv1.ServerFrame](t, step["service"]) {
			if assigned := frame.GetSeat(); assigned != nil {
				handles[assigned.Handle] = held.assign(assigned)
			}
			if prompt := frame.GetPrompt(); prompt != nil {
				views = append(views, viewFrom(prompt, handles[prompt.Handle].match))
			}
		}
	}
	return views
}
