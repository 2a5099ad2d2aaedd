package bot

import (
	"sync"

	ohhellv1 "ohhell.dev/ohhell/v1"
)

// maxFrames may be in one message.
const maxFrames = 128

// outbox holds what is to be sent. One goroutine writes; what comes while it does is taken
// along in the next message.
type outbox struct {
	mutex  sync.Mutex
	some   *sync.Cond
	frames []*ohhellv1.ClientFrame
	last   bool
	closed bool
}

func newOutbox() *outbox {
	box := &outbox{}
	box.some = sync.NewCond(&box.mutex)
	return box
}

func (b *outbox) add(frames ...*ohhellv1.ClientFrame) {
	if len(frames) == 0 {
		return
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if !b.last {
		b.frames = append(b.frames, frames...)
		b.some.Signal()
	}
}

// addLast is followed by nothing.
func (b *outbox) addLast(frame *ohhellv1.ClientFrame) {
	b.add(frame)
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.last = true
	b.some.Signal()
}

func (b *outbox) close() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.closed, b.last = true, true
	b.frames = nil
	b.some.Signal()
}

func (b *outbox) isClosed() bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.closed
}

// take waits for frames; none: everything has been said.
func (b *outbox) take() []*ohhellv1.ClientFrame {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for len(b.frames) == 0 && !b.last {
		b.some.Wait()
	}
	count := min(len(b.frames), maxFrames)
	frames := b.frames[:count:count]
	b.frames = b.frames[count:]
	return frames
}

// writeTo sends until everything has been said, or nobody can hear it.
func (b *outbox) writeTo(line line) {
	for frames := b.take(); len(frames) > 0; frames = b.take() {
		// Why it failed is what the reader is told.
		if line.write(frames) != nil {
			return
		}
	}
	if !b.isClosed() {
		_ = line.finish()
	}
}
