package bot

import (
	"slices"
	"testing"
)

func draws() *Draws {
	seed := make([]byte, 16)
	for i := range seed {
		seed[i] = byte(i)
	}
	return NewDraws(seed, 7)
}

func TestDrawsAreThoseOfEveryLanguage(t *testing.T) {
	words := draws()
	var drawn []uint32
	for range 9 {
		drawn = append(drawn, words.Word())
	}
	// The ninth word is of the second block.
	wanted := []uint32{2181344209, 4293064234, 2120141822, 3655235384, 3415355339, 1921381793,
		2666518093, 686753985, 2169966577}
	if !slices.Equal(drawn, wanted) {
		t.Errorf("words %v", drawn)
	}
	dice := draws()
	var rolled []int
	for range 10 {
		rolled = append(rolled, dice.Below(6))
	}
	if !slices.Equal(rolled, []int{1, 4, 2, 2, 5, 5, 1, 3, 1, 2}) {
		t.Errorf("dice %v", rolled)
	}
	if x := draws().Float64(); x != 0.5078837797012694 {
		t.Errorf("float %v", x)
	}
	items := []int{0, 1, 2, 3, 4, 5, 6, 7}
	draws().Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	if !slices.Equal(items, []int{0, 7, 5, 3, 6, 2, 4, 1}) {
		t.Errorf("shuffled %v", items)
	}
}

func TestNothingIsDrawnBelowNothing(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	draws().Below(0)
}
