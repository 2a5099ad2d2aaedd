package dev.ohhell.bot;

import dev.ohhell.v1.ServerFrame;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What happens to a stream, from any thread, in order. How much is open bounds it. */
final class Inbox {
  /** One thing that happened. */
  sealed interface Event {}

  /** A message came. */
  record Heard(List<ServerFrame> frames) implements Event {}

  /** The call is over. */
  record Ended(Status status) implements Event {}

  /** The bot is to leave. */
  record Told() implements Event {}

  /** The bot's own code failed, and that is to end the run. */
  record Failed(Failure failure) implements Event {}

  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

  void heard(List<ServerFrame> frames) {
    events.add(new Heard(frames));
  }

  void ended(Status status) {
    events.add(new Ended(status));
  }

  void told() {
    events.add(new Told());
  }

  void failed(Failure failure) {
    events.add(new Failed(failure));
  }

  /** Null where nothing happens within that time. */
  Event next(Duration within) throws InterruptedException {
    return events.poll(within.toNanos(), TimeUnit.NANOSECONDS);
  }
}
