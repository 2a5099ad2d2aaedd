package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	ohhellv1 "ohhell.dev/ohhell/v1"
)

// laneKey is metadata of a call: the lane that it is for; without it, lane 0.
const laneKey = "ohhell-lane"

// Listen waits at settings.Serve to be called and takes one call a lane, until stop is
// done (no error), or with ErrSettings or ErrFault. ready is told where it listens.
func Listen(stop context.Context, newBot func() Bot, settings Settings, log *slog.Logger,
	ready func(address string)) error {
	shown, err := shownTo(settings)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", settings.Serve)
	if err != nil {
		var reason *net.OpError
		if errors.As(err, &reason) {
			err = reason.Err
		}
		return failed(ErrSettings, "cannot listen on %s: %v", settings.Serve, err)
	}
	thinkers := newThinkers(settings.Threads, log)
	defer thinkers.close()
	stop, end := context.WithCancelCause(stop)
	defer end(nil)
	server := grpc.NewServer(
		grpc.Creds(shown),
		grpc.MaxRecvMsgSize(maxMessage),
		// A caller that is gone without a word keeps its lane until a ping is missed.
		grpc.KeepaliveParams(keepalive.ServerParameters{
			Time: 10 * time.Second, Timeout: 5 * time.Second,
		}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{
			MinTime: 9 * time.Second, PermitWithoutStream: true,
		}),
	)
	ohhellv1.RegisterBotServiceServer(server, &botServer{
		stop: stop, end: end, newBot: newBot, settings: settings, log: log,
		thinkers: thinkers, lanes: map[int]*lane{},
	})
	serving := make(chan error, 1)
	go func() { serving <- server.Serve(listener) }()
	host, _, _ := net.SplitHostPort(settings.Serve)
	port := listener.Addr().(*net.TCPAddr).Port
	ready(net.JoinHostPort(host, strconv.Itoa(port)))
	select {
	case <-stop.Done():
	case err := <-serving:
		return err
	}
	// The goodbyes have their second.
	time.AfterFunc(2*goodbyeWithin, server.Stop)
	server.GracefulStop()
	if cause := context.Cause(stop); errors.Is(cause, ErrFault) {
		return cause
	}
	return nil
}

// shownTo are the credentials for those who call.
func shownTo(settings Settings) (credentials.TransportCredentials, error) {
	if settings.Certificate == "" {
		return insecure.NewCredentials(), nil
	}
	pair, err := pairOf(settings)
	if err != nil {
		return nil, err
	}
	return credentials.NewServerTLSFromCert(&pair), nil
}

// lane is what outlives the calls for it; lanes share nothing but the process.
type lane struct {
	seats     *seats
	sessionID string
	taken     bool
}

type botServer struct {
	ohhellv1.UnimplementedBotServiceServer

	stop     context.Context
	end      context.CancelCauseFunc
	newBot   func() Bot
	settings Settings
	log      *slog.Logger
	thinkers *thinkers

	mutex sync.Mutex
	lanes map[int]*lane
}

// Play takes a call of the service.
func (b *botServer) Play(
	call grpc.BidiStreamingServer[ohhellv1.PlayRequest, ohhellv1.PlayResponse],
) error {
	number, err := laneOf(call.Context())
	if err != nil {
		return err
	}
	lane, err := b.take(number)
	if err != nil {
		return err
	}
	settings := b.settings
	settings.Lane = number
	stream := newStream(dialled{call}, lane.seats, b.thinkers, settings, lane.sessionID, b.log)
	defer func() {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		lane.taken = false
		lane.sessionID = stream.sessionID
	}()
	why, err := stream.play(b.stop)
	switch {
	case errors.Is(err, ErrFault):
		b.end(err)
	case err != nil:
		b.log.Info(fmt.Sprintf("lane %d: %v", number, err))
	default:
		b.log.Info(fmt.Sprintf("lane %d: %s", number, why))
	}
	return nil
}

func (b *botServer) take(number int) (*lane, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.lanes[number] == nil {
		b.lanes[number] = &lane{seats: newSeats(b.newBot, b.log)}
	}
	if b.lanes[number].taken {
		return nil, status.Errorf(codes.ResourceExhausted,
			"lane %d of this bot process is in another call", number)
	}
	b.lanes[number].taken = true
	return b.lanes[number], nil
}

func laneOf(ctx context.Context) (int, error) {
	values := metadata.ValueFromIncomingContext(ctx, laneKey)
	if len(values) == 0 {
		return 0, nil
	}
	var number int
	if between(&number, values[len(values)-1], 0, 255) != nil {
		return 0, status.Errorf(codes.InvalidArgument, "%s is a number 0..255", laneKey)
	}
	return number, nil
}
