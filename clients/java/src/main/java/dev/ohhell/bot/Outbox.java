package dev.ohhell.bot;

import dev.ohhell.v1.ClientFrame;
import java.util.List;

/** Writes to a line, one message after the other, from any thread, until it is closed. */
final class Outbox {
  /** Frames in one message. */
  static final int MAX_FRAMES = 128;

  private final Line line;
  private boolean last;
  private boolean closed;

  Outbox(Line line) {
    this.line = line;
  }

  synchronized void say(List<ClientFrame> frames) {
    for (int from = 0; from < frames.size() && !last; from += MAX_FRAMES) {
      line.write(frames.subList(from, Math.min(from + MAX_FRAMES, frames.size())));
    }
  }

  /** Is followed by nothing. */
  synchronized void sayLast(ClientFrame frame) {
    if (!last) {
      line.write(List.of(frame));
      line.finish();
      last = true;
    }
  }

  synchronized void close() {
    if (!closed) {
      closed = true;
      last = true;
      line.close();
    }
  }

  synchronized boolean isClosed() {
    return closed;
  }
}
