package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	ohhellv1 "ohhell.dev/ohhell/v1"
)

const (
	firstWait   = 100 * time.Millisecond
	longestWait = 5 * time.Second
	maxMessage  = 1 << 20
)

// Run plays until the service is gone for good or the process is told to stop, and then
// exits. With the setting serve it waits for calls of the service, as Serve does.
//
// newBot is called once for every match. Settings come from the program's flags and its
// environment.
func Run(newBot func() Bot) { run(newBot, defaults()) }

// Serve is as Run, but waits to be called: it prints where it listens, and takes one call
// a lane. Port 0 takes a free one; the address is only the default of its setting, serve.
func Serve(newBot func() Bot, address string) {
	base := defaults()
	base.Serve = address
	run(newBot, base)
}

func run(newBot func() Bot, base Settings) {
	stop, interrupted := stopSignal()
	settings, err := ReadSettings(os.Args[1:], os.Environ(), base)
	if err == nil {
		err = play(stop, newBot, settings)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "ohhell_bot: %v\n", err)
	}
	if err == nil && interrupted() {
		os.Exit(exitInterrupted)
	}
	os.Exit(exitStatus(err))
}

// stopSignal ends the context at SIGTERM and ^C; a second one ends the process.
func stopSignal() (context.Context, func() bool) {
	stop, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	var interrupted atomic.Bool
	go func() {
		interrupted.Store(<-signals == os.Interrupt)
		signal.Stop(signals)
		cancel()
	}()
	return stop, interrupted.Load
}

func play(stop context.Context, newBot func() Bot, settings Settings) error {
	// The program's own, in which a stack is lines, not one long quoted line.
	slog.SetLogLoggerLevel(settings.Log)
	log := slog.Default()
	if settings.Serve != "" {
		return Listen(stop, newBot, settings, log, func(address string) {
			// Whoever started it reads where to call.
			fmt.Printf("serving on %s\n", address)
		})
	}
	return Connect(stop, newBot, settings, log)
}

// Connect plays over one stream after the other, which look like one to the bots, until
// stop is done (no error), or with ErrRefused, ErrGivenUp or ErrFault.
func Connect(stop context.Context, newBot func() Bot, settings Settings, log *slog.Logger) error {
	credentials, err := credentialsOf(settings)
	if err != nil {
		return err
	}
	thinkers := newThinkers(settings.Threads, log)
	defer thinkers.close()
	c := &connection{
		settings: settings, credentials: credentials, log: log,
		seats: newSeats(newBot, log), thinkers: thinkers,
	}
	return c.keep(stop)
}

type connection struct {
	settings    Settings
	credentials credentials.TransportCredentials
	log         *slog.Logger
	seats       *seats
	thinkers    *thinkers
	sessionID   string
}

func (c *connection) keep(stop context.Context) error {
	wait, lostAt, why := firstWait, time.Now(), ""
	for {
		welcomed, end, err := c.oneStream(stop)
		now := string(end)
		switch {
		case stop.Err() != nil:
			return nil
		case errors.Is(err, ErrFault):
			return err
		case end == superseded:
			return failed(ErrRefused, "%s (%s)", superseded, c.settings.Instance)
		case err != nil && isUselessToRetry(err):
			return failed(ErrRefused, "%s: %v", c.settings.Address, err)
		case err != nil:
			now = err.Error()
			if !welcomed {
				now += advice(c.settings, now)
			}
		}
		if welcomed {
			wait, lostAt = firstWait, time.Now()
		}
		if welcomed || now != why {
			c.log.Warn(now + ": trying again")
			why = now
		}
		if time.Since(lostAt) > c.settings.Patience {
			return failed(ErrGivenUp, "%s was out of reach for %v: %s",
				c.settings.Address, c.settings.Patience, why)
		}
		// Not a part of any game: many bots must not come back at once.
		pause := time.Duration(float64(wait) * (0.8 + 0.4*rand.Float64()))
		select {
		case <-stop.Done():
			return nil
		case <-time.After(pause):
		}
		wait = min(2*wait, longestWait)
	}
}

// oneStream tells whether it was ever welcomed, and why it is no more.
func (c *connection) oneStream(stop context.Context) (bool, end, error) {
	channel, err := grpc.NewClient(c.settings.Address,
		grpc.WithTransportCredentials(c.credentials),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time: 20 * time.Second, Timeout: 10 * time.Second, PermitWithoutStream: true,
		}),
		grpc.WithDisableServiceConfig(),
		grpc.WithNoProxy(),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage)),
	)
	if err != nil {
		return false, closed, err
	}
	defer channel.Close()
	// The call outlives the signal to stop by its goodbye.
	ctx, cancel := context.WithCancel(context.WithoutCancel(stop))
	defer cancel()
	if c.settings.Token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+c.settings.Token)
	}
	reaching := context.AfterFunc(stop, cancel)
	call, err := ohhellv1.NewArenaServiceClient(channel).Connect(ctx)
	if !reaching() || err != nil {
		return false, closed, err
	}
	stream := newStream(dialledIn{call, cancel}, c.seats, c.thinkers, c.settings, c.sessionID, c.log)
	end, err := stream.play(stop)
	c.sessionID = stream.sessionID
	return stream.welcomed, end, err
}

func isUselessToRetry(err error) bool {
	switch status.Code(err) {
	case codes.Unauthenticated, codes.PermissionDenied, codes.InvalidArgument,
		codes.FailedPrecondition, codes.Unimplemented:
		return true
	}
	return false
}
