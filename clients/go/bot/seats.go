package bot

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"

	ohhellv1 "ohhell.dev/ohhell/v1"
)

// seat is one match of a bot. Its bot is made and told of the match by whoever thinks for
// it first, and does one thing at a time.
type seat struct {
	match   *Match
	newBot  func() Bot
	log     *slog.Logger
	working sync.Mutex
	player  Bot
}

// bot needs the seat to be locked; it panics where newBot does.
func (s *seat) bot() Bot {
	if s.player == nil {
		s.player = s.newBot()
		if starter, ok := s.player.(Starter); ok {
			s.guarded("MatchStart", func() { starter.MatchStart(s.match) })
		}
	}
	return s.player
}

func (s *seat) end(result Result) {
	s.working.Lock()
	defer s.working.Unlock()
	s.guarded("MatchEnd", func() {
		if ender, ok := s.bot().(Ender); ok {
			ender.MatchEnd(result)
		}
	})
}

// guarded logs whatever the bot's own code may do.
func (s *seat) guarded(method string, call func()) {
	defer func() {
		if reason := recover(); reason != nil {
			s.log.Error(fmt.Sprintf("%s panicked at table %s: %v\n%s",
				method, s.match.Table, reason, debug.Stack()))
		}
	}()
	call()
}

type seatKey struct {
	table string
	seat  uint32
}

// mostRemembered seats that have ended: the service says no more of them a second time.
const mostRemembered = 512

type endedSeat struct {
	handle uint32
	seatKey
}

// seats are what a bot process holds, whatever becomes of its connection.
type seats struct {
	newBot func() Bot
	log    *slog.Logger
	held   map[seatKey]*seat
	rules  map[string]*Rules
	ended  []endedSeat // oldest first
}

func newSeats(newBot func() Bot, log *slog.Logger) *seats {
	return &seats{
		newBot: newBot, log: log, held: map[seatKey]*seat{}, rules: map[string]*Rules{},
	}
}

// assign gives the same seat again where it is assigned again, and none for one that is
// over: the service cannot know that it was heard.
func (s *seats) assign(assigned *ohhellv1.SeatAssigned) *seat {
	if assigned.Rules != nil {
		s.rules[assigned.RulesHash] = rulesFrom(assigned.Rules)
	}
	key := seatKey{assigned.Table, assigned.Seat}
	if slices.Contains(s.ended, endedSeat{assigned.Handle, key}) {
		return nil
	}
	if held, ok := s.held[key]; ok {
		return held
	}
	rules, ok := s.rules[assigned.RulesHash]
	if !ok {
		s.log.Warn(fmt.Sprintf("table %s has rules that were never told", assigned.Table))
		return nil
	}
	taken := &seat{match: matchFrom(assigned, rules), newBot: s.newBot, log: s.log}
	s.held[key] = taken
	s.log.Debug(fmt.Sprintf("seat %d at table %s", assigned.Seat, assigned.Table))
	return taken
}

func (s *seats) end(handle uint32, match *Match) {
	key := seatKey{match.Table, uint32(match.Seat)}
	delete(s.held, key)
	s.ended = append(s.ended, endedSeat{handle, key})
	if len(s.ended) > mostRemembered {
		s.ended = slices.Delete(s.ended, 0, 1)
	}
}

// forget: the service knows nothing of an earlier session, so its matches are gone.
func (s *seats) forget() {
	clear(s.held)
	s.ended = nil
}
