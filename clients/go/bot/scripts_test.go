package bot

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	ohhellv1 "ohhell.dev/ohhell/v1"
)

const (
	scriptFolder = "../../../tests/conformance/frames"
	patience     = 20 * time.Second
)

// script is a file of tests/conformance/frames; README.md there is the format.
type script struct {
	Bot      string
	Settings struct {
		Instance string
		Lane     int
		Workers  int
		Token    string
		OnError  OnError `json:"on_error"`
	}
	Dialled bool
	Steps   []map[string]json.RawMessage
}

func readScripts(t *testing.T) map[string]script {
	t.Helper()
	paths, err := filepath.Glob(scriptFolder + "/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts in %s: %v", scriptFolder, err)
	}
	scripts := map[string]script{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var read script
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		scripts[strings.TrimSuffix(filepath.Base(path), ".json")] = read
	}
	return scripts
}

func (s script) settings() Settings {
	settings := defaults()
	settings.Instance = s.Settings.Instance
	settings.Lane = s.Settings.Lane
	settings.Workers = max(1, s.Settings.Workers)
	settings.Token = s.Settings.Token
	if s.Settings.OnError != "" {
		settings.OnError = s.Settings.OnError
	}
	return settings
}

func (s script) bots() func() Bot {
	if s.Bot == "fails" {
		return func() Bot { return fails{} }
	}
	return func() Bot { return lowest{} }
}

type lowest struct{}

func (lowest) Bid(view *View) int   { return slices.Min(view.LegalBids) }
func (lowest) Play(view *View) Card { return LowestFirst(view.LegalCards, view)[0] }

type fails struct{ lowest }

func (fails) Bid(*View) int { panic("the script says so") }

// caller is the service's end of one call, either way round.
type caller struct {
	said  chan *ohhellv1.ConnectResponse
	heard chan *ohhellv1.ClientFrame // closed when the bot has closed its side
	over  chan struct{}              // closed then, too
	end   chan codes.Code
	token []string
	// Whether it is the service that calls.
	dialled bool
}

func newCaller() *caller {
	return &caller{
		said:  make(chan *ohhellv1.ConnectResponse),
		heard: make(chan *ohhellv1.ClientFrame, 1000),
		over:  make(chan struct{}),
		end:   make(chan codes.Code, 1),
	}
}

func (c *caller) hear(t *testing.T, recv func() ([]*ohhellv1.ClientFrame, error)) {
	defer close(c.over)
	defer close(c.heard)
	for {
		frames, err := recv()
		if err != nil {
			return
		}
		if len(frames) > maxFrames {
			t.Errorf("a message has %d frames", len(frames))
		}
		for _, frame := range frames {
			c.heard <- frame
		}
	}
}

// arena hands out the streams that a bot opens.
type arena struct {
	ohhellv1.UnimplementedArenaServiceServer

	t       *testing.T
	streams chan *caller
}

func (a *arena) Connect(
	call grpc.BidiStreamingServer[ohhellv1.ConnectRequest, ohhellv1.ConnectResponse],
) error {
	stream := newCaller()
	stream.token = metadata.ValueFromIncomingContext(call.Context(), "authorization")
	a.streams <- stream
	go stream.hear(a.t, func() ([]*ohhellv1.ClientFrame, error) {
		message, err := call.Recv()
		return message.GetFrames(), err
	})
	for {
		select {
		case message := <-stream.said:
			if err := call.Send(message); err != nil {
				return err
			}
		case code := <-stream.end:
			return status.Error(code, "the script says so")
		case <-stream.over:
			return nil
		}
	}
}

func TestABotThatCallsFollowsTheScript(t *testing.T) {
	for name, script := range readScripts(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			streams := make(chan *caller, 10)
			server := grpc.NewServer()
			ohhellv1.RegisterArenaServiceServer(server, &arena{t: t, streams: streams})
			go func() { _ = server.Serve(listener) }()
			defer server.Stop()

			settings := script.settings()
			settings.Address = listener.Addr().String()
			run := start(func(stop context.Context) error {
				return Connect(stop, script.bots(), settings, quiet())
			})
			defer run.stop()
			follow(t, script, run, func(wanted []string) *caller {
				stream := receive(t, streams)
				if !slices.Equal(stream.token, wanted) {
					t.Fatalf("authorization %q, not %q", stream.token, wanted)
				}
				return stream
			})
		})
	}
}

func TestABotThatIsCalledFollowsTheScript(t *testing.T) {
	for name, script := range readScripts(t) {
		if !script.Dialled {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := script.settings()
			settings.Serve = "127.0.0.1:0"
			addresses := make(chan string, 1)
			run := start(func(stop context.Context) error {
				return Listen(stop, script.bots(), settings, quiet(), func(address string) {
					addresses <- address
				})
			})
			defer run.stop()
			channel, err := grpc.NewClient(receive(t, addresses),
				grpc.WithTransportCredentials(insecure.NewCredentials()))
			if err != nil {
				t.Fatal(err)
			}
			defer channel.Close()
			follow(t, script, run, func([]string) *caller {
				return dial(t, channel, settings.Lane)
			})
		})
	}
}

// dial calls again and again while the lane is taken.
func dial(t *testing.T, channel *grpc.ClientConn, lane int) *caller {
	t.Helper()
	for until := time.Now().Add(patience); time.Now().Before(until); {
		ctx, cancel := context.WithCancel(metadata.AppendToOutgoingContext(
			context.Background(), laneKey, strconv.Itoa(lane)))
		call, err := ohhellv1.NewBotServiceClient(channel).Play(ctx)
		if err != nil {
			t.Fatal(err)
		}
		first, err := call.Recv()
		if status.Code(err) == codes.ResourceExhausted {
			cancel()
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		stream := newCaller()
		stream.dialled = true
		go stream.hear(t, func() ([]*ohhellv1.ClientFrame, error) {
			if first != nil {
				frames := first.GetFrames()
				first = nil
				return frames, nil
			}
			message, err := call.Recv()
			return message.GetFrames(), err
		})
		go func() {
			defer cancel()
			for {
				select {
				case message := <-stream.said:
					_ = call.Send(&ohhellv1.PlayRequest{Frames: message.Frames})
				case code := <-stream.end:
					if code != codes.OK {
						return
					}
					_ = call.CloseSend()
					<-call.Context().Done() // at the end of the call
					return
				}
			}
		}()
		return stream
	}
	t.Fatal("the lane stays taken")
	return nil
}

// running is a bot at work.
type running struct {
	stop context.CancelFunc
	over chan error
}

func start(play func(stop context.Context) error) *running {
	stop, cancel := context.WithCancel(context.Background())
	run := &running{stop: cancel, over: make(chan error, 1)}
	go func() { run.over <- play(stop) }()
	return run
}

func (r *running) ending(t *testing.T) string {
	t.Helper()
	err := receive(t, r.over)
	switch {
	case err == nil:
		return "stopped"
	case errors.Is(err, ErrFault):
		return "fault"
	case errors.Is(err, ErrRefused):
		return "refused"
	}
	t.Fatal(err)
	return ""
}

func follow(t *testing.T, script script, run *running, next func(wanted []string) *caller) {
	t.Helper()
	var stream *caller
	for number, step := range script.Steps {
		for kind, value := range step {
			switch kind {
			case "stream":
				var wanted map[string]string
				decode(t, value, &wanted)
				var authorization []string
				if token, ok := wanted["authorization"]; ok {
					authorization = []string{token}
				}
				stream = next(authorization)
			case "bot":
				expect(t, number, stream, framesOf[ohhellv1.ClientFrame](t, value))
			case "service":
				frames := framesOf[ohhellv1.ServerFrame](t, value)
				tell(t, stream, &ohhellv1.ConnectResponse{Frames: frames})
			case "raw":
				var text string
				decode(t, value, &text)
				content, err := base64.StdEncoding.DecodeString(text)
				message := &ohhellv1.ConnectResponse{}
				if err := errors.Join(err, proto.Unmarshal(content, message)); err != nil {
					t.Fatal(err)
				}
				tell(t, stream, message)
			case "close":
				var code codes.Code
				decode(t, value, &code)
				stream.end <- code
			case "stop":
				run.stop()
			case "ends":
				var wanted string
				decode(t, value, &wanted)
				conclude(t, stream, run, wanted)
			case "about":
			default:
				t.Fatalf("step %d: %s", number, kind)
			}
		}
	}
}

func conclude(t *testing.T, stream *caller, run *running, wanted string) {
	t.Helper()
	if wanted == "stopped" {
		if stream.dialled {
			stream.end <- codes.OK
		}
		if frame, open := <-stream.heard; open {
			t.Fatalf("after the goodbye: %v", frame)
		}
	}
	if ending := run.ending(t); ending != wanted {
		t.Fatalf("the run ended as %s, not as %s", ending, wanted)
	}
}

func tell(t *testing.T, stream *caller, message *ohhellv1.ConnectResponse) {
	t.Helper()
	select {
	case stream.said <- message:
	case <-time.After(patience):
		t.Fatal("the stream takes no message")
	}
}

func expect(t *testing.T, number int, stream *caller, wanted []*ohhellv1.ClientFrame) {
	t.Helper()
	var heard []*ohhellv1.ClientFrame
	for range wanted {
		heard = append(heard, receive(t, stream.heard))
	}
	for _, frame := range heard {
		if frame.GetHello() != nil && frame.GetHello().Software == "" {
			t.Error("hello names no software")
		}
	}
	if !slices.EqualFunc(comparable(heard), comparable(wanted), bytes.Equal) {
		t.Fatalf("step %d: heard %v, not %v", number, heard, wanted)
	}
}

// comparable leaves out what each library says in its own words, in an order of its own.
func comparable(frames []*ohhellv1.ClientFrame) [][]byte {
	var texts [][]byte
	for _, frame := range frames {
		if hello := frame.GetHello(); hello != nil {
			hello.Software = ""
		}
		if answer := frame.GetAnswer(); answer != nil {
			answer.Note = ""
		}
		text, _ := proto.MarshalOptions{Deterministic: true}.Marshal(frame)
		texts = append(texts, text)
	}
	slices.SortFunc(texts, bytes.Compare)
	return texts
}

func receive[T any](t *testing.T, channel <-chan T) T {
	t.Helper()
	select {
	case value, open := <-channel:
		if !open {
			t.Fatal("the bot ended the stream")
		}
		return value
	case <-time.After(patience):
		t.Fatal("nothing came")
	}
	panic("unreachable")
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func framesOf[T any, P interface {
	*T
	proto.Message
}](t *testing.T, text []byte) []P {
	t.Helper()
	var each []json.RawMessage
	decode(t, text, &each)
	frames := make([]P, len(each))
	for i, one := range each {
		frames[i] = P(new(T))
		if err := protojson.Unmarshal(one, frames[i]); err != nil {
			t.Fatalf("%v: %s", err, one)
		}
	}
	return frames
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }
