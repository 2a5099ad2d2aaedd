package bot

import (
	"fmt"
	"log/slog"
	"sync"
	"time"

	ohhellv1 "ohhell.dev/ohhell/v1"
)

// Answers of one received message leave together, unless thinking takes this long.
const holdBack = time.Millisecond

// job is something for a seat to work at; a prompt, or the end of its match.
type job struct {
	seat   *seat
	prompt *ohhellv1.View
	ended  *Result
	stream *stream

	// Guarded by the thinkers' mutex.
	withdrawn string
}

// thinkers run the bots, apart from the streams, so that heartbeats are answered meanwhile.
type thinkers struct {
	log   *slog.Logger
	count int

	mutex  sync.Mutex
	some   *sync.Cond
	queue  []*job
	asked  map[*job]bool // prompts in the queue and in work
	closed bool
}

// newThinkers starts as many goroutines; with one, no two bots ever run at the same time.
func newThinkers(count int, log *slog.Logger) *thinkers {
	t := &thinkers{log: log, count: max(1, count), asked: map[*job]bool{}}
	t.some = sync.NewCond(&t.mutex)
	for range t.count {
		go t.work()
	}
	return t
}

func (t *thinkers) add(jobs []*job) {
	if len(jobs) == 0 {
		return
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.queue = append(t.queue, jobs...)
	for _, job := range jobs {
		if job.prompt != nil {
			t.asked[job] = true
		}
	}
	t.some.Broadcast()
}

// withdraw: thinking on is useless; after DEFAULTED the table waits to hear its end.
func (t *thinkers) withdraw(from *stream, handle, seq uint32, reason string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for job := range t.asked {
		if job.stream == from && job.prompt.Handle == handle && job.prompt.Seq == seq {
			job.withdrawn = reason
		}
	}
}

func (t *thinkers) close() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.closed = true
	t.queue = nil
	t.some.Broadcast()
}

// take gives what is to be done, to one of several thinkers one thing only; nil at the end.
func (t *thinkers) take() []*job {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for len(t.queue) == 0 && !t.closed {
		t.some.Wait()
	}
	if t.closed {
		return nil
	}
	share := len(t.queue)
	if t.count > 1 {
		share = 1
	}
	jobs := t.queue[:share:share]
	t.queue = t.queue[share:]
	return jobs
}

func (t *thinkers) work() {
	for jobs := t.take(); jobs != nil; jobs = t.take() {
		since := time.Now()
		var ready []*ohhellv1.ClientFrame
		for i, job := range jobs {
			if frame := t.do(job); frame != nil {
				ready = append(ready, frame)
			}
			last := i+1 == len(jobs) || jobs[i+1].stream != job.stream
			if last || time.Since(since) > holdBack {
				job.stream.say(ready...)
				ready, since = nil, time.Now()
			}
		}
	}
}

// do gives the answer, if there is to be one.
func (t *thinkers) do(job *job) *ohhellv1.ClientFrame {
	if job.ended != nil {
		job.seat.end(*job.ended)
		return nil
	}
	if job.stream.isOver() {
		t.done(job)
		return nil
	}
	switch t.fate(job) {
	case "":
	case defaulted:
		t.done(job)
		return noAnswer(job.prompt, "it came too late")
	default:
		t.done(job)
		return nil
	}
	frame := t.answer(job)
	if reason := t.done(job); reason != "" && reason != defaulted {
		return nil
	}
	return frame
}

func (t *thinkers) fate(job *job) string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return job.withdrawn
}

func (t *thinkers) done(job *job) string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	delete(t.asked, job)
	return job.withdrawn
}

func (t *thinkers) answer(job *job) *ohhellv1.ClientFrame {
	job.seat.working.Lock()
	defer job.seat.working.Unlock()
	view := viewFrom(job.prompt, job.seat.match)
	frame, wrong := decide(job.seat.bot, view)
	if wrong == nil {
		return frame
	}
	// The bot has no answer: say so at once, for silence would cost its clock.
	t.log.Error(fmt.Sprintf("the bot failed: %v\n%s\n%s", view, wrong.why, wrong.stack))
	job.stream.blame(view)
	return noAnswer(job.prompt, wrong.why)
}
