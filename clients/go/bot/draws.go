package bot

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// Draws is a bot's chance at one decision, a function of the seat's seed and of the
// decision alone: a decision that is asked again, in whatever process or language, meets
// the same chance. Its 32-bit words are
//
//	HMAC-SHA256(BotSeed, "decision" | u32be seq | u64be counter)   counter = 0, 1, ...
//
// taken as eight big-endian words each, in order.
type Draws struct {
	key     []byte
	message [20]byte
	counter uint64
	words   []byte
}

// NewDraws starts the words of a decision.
func NewDraws(botSeed []byte, seq uint32) *Draws {
	draws := &Draws{key: botSeed}
	copy(draws.message[:], "decision")
	binary.BigEndian.PutUint32(draws.message[8:], seq)
	return draws
}

// Word gives 32 random bits.
func (d *Draws) Word() uint32 {
	if len(d.words) == 0 {
		binary.BigEndian.PutUint64(d.message[12:], d.counter)
		mac := hmac.New(sha256.New, d.key)
		mac.Write(d.message[:])
		d.words = mac.Sum(nil)
		d.counter++
	}
	word := binary.BigEndian.Uint32(d.words)
	d.words = d.words[4:]
	return word
}

// Below gives 0 <= n < m, all equally likely, for 1 <= m <= 2^32; it panics for another m.
func (d *Draws) Below(m int) int {
	const all = 1 << 32
	if m < 1 || m > all {
		panic(fmt.Sprintf("cannot draw below %d: 1..2^32", m))
	}
	limit := uint64(all - all%m)
	for {
		if word := uint64(d.Word()); word < limit {
			return int(word % uint64(m))
		}
	}
}

// Float64 gives 0 <= x < 1 with 53 random bits, out of two words.
func (d *Draws) Float64() float64 {
	high, low := uint64(d.Word()>>5), uint64(d.Word()>>6)
	return float64(high<<26|low) / (1 << 53)
}

// Shuffle swaps from the last place down with one of the places up to it.
func (d *Draws) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, d.Below(i+1))
	}
}
