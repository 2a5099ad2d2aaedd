package bot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	ohhellv1 "ohhell.dev/ohhell/v1"
)

const (
	revision  = 1
	software  = "ohhell-bot/go 0.1.0"
	defaulted = "DEFAULTED" // why a prompt is withdrawn that expired

	welcomeWithin = 10 * time.Second
	goodbyeWithin = time.Second
)

var errNoWelcome = errors.New("no welcome came")

// end is why a stream ended that did not fail.
type end string

const (
	closed     end = "the service closed the stream"
	drained    end = "the service went down as announced"
	superseded end = "another process with the same instance name took over"
	stopped    end = "stopped"
)

// stream is one connection to the service, from Hello to its end: many tables on one line.
type stream struct {
	line      line
	seats     *seats
	thinkers  *thinkers
	settings  Settings
	log       *slog.Logger
	out       *outbox
	handles   map[uint32]*seat
	faults    chan error
	end       end
	sessionID string
	welcomed  bool
}

func newStream(line line, seats *seats, thinkers *thinkers, settings Settings,
	sessionID string, log *slog.Logger) *stream {
	return &stream{
		line: line, seats: seats, thinkers: thinkers, settings: settings, log: log,
		out: newOutbox(), handles: map[uint32]*seat{}, faults: make(chan error, 1),
		end: closed, sessionID: sessionID,
	}
}

type received struct {
	frames []*ohhellv1.ServerFrame
	err    error
}

// play lasts until the stream ends. It says goodbye where that is because of stop; other
// errors are those of gRPC, errNoWelcome and ErrFault.
func (s *stream) play(stop context.Context) (end, error) {
	over := make(chan struct{})
	defer close(over)
	defer s.out.close()
	defer s.line.cancel()
	s.hello()
	go s.out.writeTo(s.line)
	incoming := make(chan received)
	go s.readInto(incoming, over)

	told := stop.Done()
	welcome := time.After(welcomeWithin)
	var goodbye <-chan time.Time
	for {
		select {
		case got := <-incoming:
			if got.err != nil {
				return s.ended(got.err, goodbye != nil)
			}
			s.receive(got.frames)
		case <-told:
			told = nil
			goodbye = time.After(goodbyeWithin)
			s.out.addLast(&ohhellv1.ClientFrame{Body: &ohhellv1.ClientFrame_Goodbye{
				Goodbye: &ohhellv1.Goodbye{Reason: string(stopped)},
			}})
		case <-goodbye:
			return stopped, nil
		case <-welcome:
			if !s.welcomed {
				return closed, errNoWelcome
			}
		case err := <-s.faults:
			return closed, err
		}
	}
}

func (s *stream) ended(err error, leaving bool) (end, error) {
	select {
	case fault := <-s.faults:
		return closed, fault
	default:
	}
	switch {
	case leaving:
		return stopped, nil
	case err == io.EOF:
		return s.end, nil
	case s.end != closed: // what was announced is no failure, whatever its status
		return s.end, nil
	}
	return closed, err
}

func (s *stream) readInto(incoming chan<- received, over <-chan struct{}) {
	for {
		frames, err := s.line.read()
		select {
		case incoming <- received{frames, err}:
		case <-over:
			return
		}
		if err != nil {
			return
		}
	}
}

func (s *stream) say(frames ...*ohhellv1.ClientFrame) { s.out.add(frames...) }
func (s *stream) isOver() bool                        { return s.out.isClosed() }

func (s *stream) hello() {
	s.say(&ohhellv1.ClientFrame{Body: &ohhellv1.ClientFrame_Hello{Hello: &ohhellv1.Hello{
		Revision:        revision,
		MinRevision:     revision,
		Software:        software,
		InstanceId:      s.settings.Instance,
		Lane:            uint32(s.settings.Lane),
		ResumeSessionId: s.sessionID,
		Workers:         uint32(s.settings.Workers),
	}}})
}

func (s *stream) receive(frames []*ohhellv1.ServerFrame) {
	var jobs []*job
	for _, frame := range frames {
		switch body := frame.Body.(type) {
		case *ohhellv1.ServerFrame_Prompt:
			if seat := s.handles[body.Prompt.Handle]; seat != nil {
				jobs = append(jobs, &job{seat: seat, prompt: body.Prompt, stream: s})
			} else {
				s.log.Warn(fmt.Sprintf("a prompt for the unknown handle %d", body.Prompt.Handle))
			}
		case *ohhellv1.ServerFrame_Seat:
			if seat := s.seats.assign(body.Seat); seat != nil {
				s.handles[body.Seat.Handle] = seat
			}
		case *ohhellv1.ServerFrame_Ended:
			if seat := s.handles[body.Ended.Handle]; seat != nil {
				delete(s.handles, body.Ended.Handle)
				s.seats.end(body.Ended.Handle, seat.match)
				jobs = append(jobs, &job{seat: seat, ended: resultOf(seat, body.Ended), stream: s})
			}
		case *ohhellv1.ServerFrame_Withdrawn:
			s.thinkers.add(jobs)
			jobs = nil
			taken := body.Withdrawn
			s.thinkers.withdraw(s, taken.Handle, taken.Seq, taken.Reason)
		case *ohhellv1.ServerFrame_Heartbeat:
			s.say(&ohhellv1.ClientFrame{Body: &ohhellv1.ClientFrame_Pong{
				Pong: &ohhellv1.Pong{Nonce: body.Heartbeat.Nonce},
			}})
		case *ohhellv1.ServerFrame_Welcome:
			s.welcome(body.Welcome)
		case *ohhellv1.ServerFrame_Notice:
			s.heed(body.Notice)
		case *ohhellv1.ServerFrame_Result:
			if !body.Result.Accepted {
				s.refused(body.Result)
			}
		default:
			// Entries and snapshots, which nobody asked for, and what later revisions add.
		}
	}
	s.thinkers.add(jobs)
}

func resultOf(seat *seat, ended *ohhellv1.SeatEnded) *Result {
	return &Result{
		Match:   seat.match,
		Reason:  EndReason(ended.Reason),
		Scores:  listOf[int](ended.Scores),
		Winners: listOf[int](ended.Winners),
	}
}

func (s *stream) welcome(welcome *ohhellv1.Welcome) {
	s.welcomed = true
	s.sessionID = welcome.SessionId
	if !welcome.Resumed {
		s.seats.forget()
	}
	s.log.Info(fmt.Sprintf("connected to %s as %s, lane %d, workers %d, resumed: %t",
		welcome.Software, welcome.Bot, s.settings.Lane, welcome.Workers, welcome.Resumed))
}

func (s *stream) refused(result *ohhellv1.AnswerResult) {
	table := "?"
	if seat := s.handles[result.Handle]; seat != nil {
		table = seat.match.Table
	}
	s.log.Warn(fmt.Sprintf("table %s decision %d attempt %d: %s %s",
		table, result.Seq, result.Attempt, result.Reason, result.Message))
}

func (s *stream) heed(notice *ohhellv1.Notice) {
	switch notice.Kind {
	case ohhellv1.NoticeKind_NOTICE_KIND_DRAINING:
		s.end = drained
		s.log.Info(fmt.Sprintf("the service goes down in %d ms", notice.Milliseconds))
	case ohhellv1.NoticeKind_NOTICE_KIND_SUPERSEDED:
		s.end = superseded
	case ohhellv1.NoticeKind_NOTICE_KIND_PROTOCOL:
		s.log.Warn(fmt.Sprintf("bad frame: %s %s", notice.Reason, notice.Message))
	default:
		s.log.Debug(fmt.Sprintf("notice: %v", notice))
	}
}

// blame ends the run, if that is what was asked for.
func (s *stream) blame(view *View) {
	if s.settings.OnError != Stop {
		return
	}
	select {
	case s.faults <- failed(ErrFault, "stopped at the bot's first error: %v", view):
	default:
	}
}
