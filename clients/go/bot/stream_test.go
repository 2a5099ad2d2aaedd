package bot

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	ohhellv1 "ohhell.dev/ohhell/v1"
)

// gated thinks about the first table until its gate is opened.
type gated struct {
	lowest

	gate   chan struct{}
	called chan string
}

func (g gated) Bid(view *View) int {
	g.called <- view.Match.Table
	if view.Match.Table == "t1" {
		<-g.gate
	}
	return 1
}

func (g gated) MatchStart(match *Match) { g.called <- "start " + match.Table }
func (g gated) MatchEnd(result Result)  { g.called <- "end " + result.Match.Table }

// met is a service with one bot that has connected.
type met struct {
	stream  *caller
	run     *running
	streams chan *caller
}

func meet(t *testing.T, newBot func() Bot, more func(*Settings)) met {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	streams := make(chan *caller, 10)
	server := grpc.NewServer()
	ohhellv1.RegisterArenaServiceServer(server, &arena{t: t, streams: streams})
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	settings := defaults()
	settings.Address = listener.Addr().String()
	settings.Workers = 4
	if more != nil {
		more(&settings)
	}
	run := start(func(stop context.Context) error {
		return Connect(stop, newBot, settings, quiet())
	})
	t.Cleanup(run.stop)
	stream := receive(t, streams)
	receive(t, stream.heard)
	say(t, stream, &ohhellv1.ServerFrame{Body: &ohhellv1.ServerFrame_Welcome{
		Welcome: &ohhellv1.Welcome{SessionId: "s1", Workers: 4}}})
	return met{stream, run, streams}
}

func say(t *testing.T, stream *caller, frames ...*ohhellv1.ServerFrame) {
	t.Helper()
	tell(t, stream, &ohhellv1.ConnectResponse{Frames: frames})
}

func assigned(handle uint32, table string) *ohhellv1.ServerFrame {
	return &ohhellv1.ServerFrame{Body: &ohhellv1.ServerFrame_Seat{Seat: &ohhellv1.SeatAssigned{
		Handle: handle, Table: table, RulesHash: "h", Rules: &ohhellv1.Rules{Players: 3},
	}}}
}

func asked(handle, seq uint32) *ohhellv1.ServerFrame {
	return &ohhellv1.ServerFrame{Body: &ohhellv1.ServerFrame_Prompt{Prompt: &ohhellv1.View{
		Handle: handle, Seq: seq, Ask: ohhellv1.Ask_ASK_BID, Attempt: 1, LegalBids: []uint32{0, 1},
	}}}
}

func withdrawn(handle, seq uint32, reason string) *ohhellv1.ServerFrame {
	return &ohhellv1.ServerFrame{Body: &ohhellv1.ServerFrame_Withdrawn{
		Withdrawn: &ohhellv1.Withdrawn{Handle: handle, Seq: seq, Reason: reason},
	}}
}

func beat(nonce uint32) *ohhellv1.ServerFrame {
	return &ohhellv1.ServerFrame{Body: &ohhellv1.ServerFrame_Heartbeat{
		Heartbeat: &ohhellv1.Heartbeat{Nonce: nonce},
	}}
}

func newGated() gated {
	return gated{gate: make(chan struct{}), called: make(chan string, 100)}
}

func TestHeartbeatsAreAnsweredWhileABotThinks(t *testing.T) {
	bot := newGated()
	met := meet(t, func() Bot { return bot }, nil)
	say(t, met.stream, assigned(1, "t1"), asked(1, 7), beat(3))
	if frame := receive(t, met.stream.heard); frame.GetPong().GetNonce() != 3 {
		t.Fatal(frame)
	}
	close(bot.gate)
	if answer := receive(t, met.stream.heard).GetAnswer(); answer.GetBid() != 1 {
		t.Fatal(answer)
	}
}

func TestOneThreadNeverRunsTwoBotsAtTheSameTimeAndSeveralDo(t *testing.T) {
	for threads, second := range map[int]bool{1: false, 2: true} {
		bot := newGated()
		met := meet(t, func() Bot { return bot }, func(s *Settings) { s.Threads = threads })
		say(t, met.stream, assigned(1, "t1"), assigned(2, "t2"), asked(1, 7))
		for _, wanted := range []string{"start t1", "t1"} {
			if called := receive(t, bot.called); called != wanted {
				t.Fatal(called)
			}
		}
		say(t, met.stream, asked(2, 7))
		if second {
			if answer := receive(t, met.stream.heard).GetAnswer(); answer.GetHandle() != 2 {
				t.Fatal(answer)
			}
		}
		say(t, met.stream, beat(1))
		receive(t, met.stream.heard)
		if met, err := len(bot.called), second; (met > 0) != err {
			t.Errorf("%d threads: %d calls more", threads, met)
		}
		close(bot.gate)
	}
}

func TestWhatWasWithdrawnWhileThinkingIsNotAnswered(t *testing.T) {
	bot := newGated()
	met := meet(t, func() Bot { return bot }, nil)
	say(t, met.stream, assigned(1, "t1"), assigned(2, "t2"), asked(1, 7), asked(2, 3))
	say(t, met.stream, withdrawn(1, 7, "AMENDED"), withdrawn(2, 3, "CANCELLED"), asked(1, 8), beat(1))
	receive(t, met.stream.heard)
	close(bot.gate)
	if answer := receive(t, met.stream.heard).GetAnswer(); answer.GetSeq() != 8 {
		t.Fatal(answer)
	}
}

func TestWhatExpiredIsAnsweredNeverthelessForTheTableWaitsToHearIt(t *testing.T) {
	bot := newGated()
	met := meet(t, func() Bot { return bot }, nil)
	say(t, met.stream, assigned(1, "t1"), assigned(2, "t2"), asked(1, 7))
	receive(t, bot.called)
	receive(t, bot.called)
	say(t, met.stream, asked(2, 3), withdrawn(1, 7, defaulted), withdrawn(2, 3, defaulted), beat(1))
	receive(t, met.stream.heard)
	close(bot.gate)
	if late := receive(t, met.stream.heard).GetAnswer(); late.GetHandle() != 1 || late.GetBid() != 1 {
		t.Fatal(late)
	}
	// The second one had not been begun.
	if late := receive(t, met.stream.heard).GetAnswer(); late.GetHandle() != 2 || late.Action != nil {
		t.Fatal(late)
	}
}

func TestABotIsToldOfItsMatchOnceAlsoWhenTheStreamIsLost(t *testing.T) {
	var made atomic.Int32
	bot := newGated()
	close(bot.gate)
	met := meet(t, func() Bot { made.Add(1); return bot }, nil)
	say(t, met.stream, assigned(1, "t1"), asked(1, 7))
	receive(t, met.stream.heard)
	met.stream.end <- codes.Unavailable
	again := receive(t, met.streams)
	receive(t, again.heard)
	say(t, again, &ohhellv1.ServerFrame{Body: &ohhellv1.ServerFrame_Welcome{
		Welcome: &ohhellv1.Welcome{SessionId: "s1", Resumed: true}}})
	ended := &ohhellv1.ServerFrame{Body: &ohhellv1.ServerFrame_Ended{
		Ended: &ohhellv1.SeatEnded{Handle: 9, Reason: ohhellv1.EndReason_END_REASON_PLAYED}}}
	say(t, again, assigned(9, "t1"), asked(9, 8), ended)
	receive(t, again.heard)
	for _, wanted := range []string{"start t1", "t1", "t1", "end t1"} {
		if called := receive(t, bot.called); called != wanted {
			t.Errorf("%s, not %s", called, wanted)
		}
	}
	if made.Load() != 1 {
		t.Errorf("%d bots", made.Load())
	}
}

func TestAFailureIsNotedForTheBotsOwnLog(t *testing.T) {
	met := meet(t, func() Bot { return fails{} }, nil)
	say(t, met.stream, assigned(1, "t1"), asked(1, 7))
	if answer := receive(t, met.stream.heard).GetAnswer(); answer.GetNote() != "the script says so" {
		t.Fatal(answer)
	}
}

func TestANoteIsCutToWhatTheWireAllows(t *testing.T) {
	if note := cut("a" + strings.Repeat("ä", 200)); note != "a"+strings.Repeat("ä", 127) {
		t.Error(len(note), note)
	}
}

// garbled fails with what is no text.
type garbled struct{ lowest }

func (garbled) Bid(*View) int { panic("half \xc3 of one") }

func TestAFailureThatIsNoTextDoesNotEndTheStream(t *testing.T) {
	met := meet(t, func() Bot { return garbled{} }, nil)
	say(t, met.stream, assigned(1, "t1"), asked(1, 7))
	if answer := receive(t, met.stream.heard).GetAnswer(); answer.GetNote() != "half ? of one" {
		t.Fatal(answer)
	}
}

func TestABotGivesUpWhenItsPatienceIsOver(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	settings := defaults()
	settings.Address = listener.Addr().String()
	settings.Patience = 0
	run := start(func(stop context.Context) error {
		return Connect(stop, func() Bot { return lowest{} }, settings, quiet())
	})
	if err := receive(t, run.over); !errors.Is(err, ErrGivenUp) {
		t.Error(err)
	}
}

func TestABotThatIsStoppedBeforeItReachedAnybodyEnds(t *testing.T) {
	settings := defaults()
	settings.Address = "127.0.0.1:1"
	run := start(func(stop context.Context) error {
		return Connect(stop, func() Bot { return lowest{} }, settings, quiet())
	})
	run.stop()
	if err := receive(t, run.over); err != nil {
		t.Error(err)
	}
}

// served is a channel to a bot that waits to be called.
func served(t *testing.T, settings Settings, trust credentials.TransportCredentials,
) *grpc.ClientConn {
	t.Helper()
	settings.Serve = "127.0.0.1:0"
	addresses := make(chan string, 1)
	run := start(func(stop context.Context) error {
		return Listen(stop, func() Bot { return lowest{} }, settings, quiet(),
			func(address string) { addresses <- address })
	})
	t.Cleanup(run.stop)
	channel, err := grpc.NewClient(receive(t, addresses), grpc.WithTransportCredentials(trust))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { channel.Close() })
	return channel
}

func TestALaneIsANumberAndHasOneCaller(t *testing.T) {
	channel := served(t, defaults(), insecure.NewCredentials())
	first := dial(t, channel, 3)
	if hello := receive(t, first.heard).GetHello(); hello.GetLane() != 3 {
		t.Error(hello)
	}
	for lane, wanted := range map[string]codes.Code{
		"3": codes.ResourceExhausted, "-1": codes.InvalidArgument, "256": codes.InvalidArgument,
		"x": codes.InvalidArgument, "": codes.InvalidArgument,
	} {
		ctx, cancel := context.WithTimeout(
			metadata.AppendToOutgoingContext(context.Background(), laneKey, lane), patience)
		call, err := ohhellv1.NewBotServiceClient(channel).Play(ctx)
		if err == nil {
			_, err = call.Recv()
		}
		cancel()
		if status.Code(err) != wanted {
			t.Errorf("lane %q: %v", lane, err)
		}
	}
}

func TestAPortThatIsTakenIsNamed(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	settings := defaults()
	settings.Serve = taken.Addr().String()
	err = Listen(context.Background(), func() Bot { return lowest{} }, settings, quiet(), nil)
	if !errors.Is(err, ErrSettings) || !strings.Contains(err.Error(), "address already in use") {
		t.Error(err)
	}
}
