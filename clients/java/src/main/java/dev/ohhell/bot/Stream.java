package dev.ohhell.bot;

import dev.ohhell.v1.AnswerResult;
import dev.ohhell.v1.ClientFrame;
import dev.ohhell.v1.Goodbye;
import dev.ohhell.v1.Hello;
import dev.ohhell.v1.Notice;
import dev.ohhell.v1.Pong;
import dev.ohhell.v1.ServerFrame;
import dev.ohhell.v1.Welcome;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Logger;

/** One connection to the service, from Hello to its end: many tables on one line. */
final class Stream {
  private static final int REVISION = 1;
  private static final String SOFTWARE = "ohhell-bot/java 0.1.0";
  private static final Duration WELCOME_WITHIN = Duration.ofSeconds(10);

  /** How long a goodbye may take. */
  static final Duration GOODBYE_WITHIN = Duration.ofSeconds(1);

  private static final Logger LOG = Logger.getLogger(BotProcess.LOG_NAME);

  /** Why a stream ended. */
  enum End {
    CLOSED("the service closed the stream"),
    DRAINED("the service went down as announced"),
    SUPERSEDED("another process with the same instance name took over"),
    STOPPED("stopped"),
    NO_WELCOME("no welcome came"),
    FAILED("the call failed");

    private final String words;

    End(String words) {
      this.words = words;
    }
  }

  /** Why it ended, with the status of the call where that is why. */
  record Ending(End end, Status status) {
    static Ending of(End end) {
      return new Ending(end, Status.OK);
    }

    @Override
    public String toString() {
      if (end != End.FAILED) {
        return end.words;
      }
      String more = status.getDescription() == null ? "" : " " + status.getDescription();
      // What gRPC describes as an "io exception" is told by its cause.
      return status.getCode()
          + more
          + (status.getCause() == null ? "" : ": " + status.getCause().getMessage());
    }
  }

  private final Inbox inbox;
  private final Outbox out;
  private final Seats seats;
  private final Thinkers thinkers;
  private final Settings settings;
  private final int lane;
  private final Map<Integer, Seat> handles = new HashMap<>();
  private String sessionId;
  private boolean welcomed;
  private End announced = End.CLOSED;

  /** An empty session id: there is nothing to resume. */
  Stream(
      Line line,
      Inbox inbox,
      Seats seats,
      Thinkers thinkers,
      Settings settings,
      int lane,
      String sessionId) {
    this.inbox = inbox;
    this.out = new Outbox(line);
    this.seats = seats;
    this.thinkers = thinkers;
    this.settings = settings;
    this.lane = lane;
    this.sessionId = sessionId;
  }

  String sessionId() {
    return sessionId;
  }

  boolean welcomed() {
    return welcomed;
  }

  /** Lasts until the stream ends, and says goodbye where that is because of stop. */
  Ending play(Stop stop) throws Failure, InterruptedException {
    Runnable told = inbox::told;
    stop.onTold(told);
    try {
      hello();
      return untilItEnds();
    } finally {
      stop.forget(told);
      out.close();
    }
  }

  private Ending untilItEnds() throws Failure, InterruptedException {
    boolean leaving = false;
    long deadline = System.nanoTime() + WELCOME_WITHIN.toNanos();
    while (true) {
      boolean limited = leaving || !welcomed;
      Duration left = limited ? Duration.ofNanos(deadline - System.nanoTime()) : Duration.ofDays(1);
      Inbox.Event event = inbox.next(left);
      if (event == null) {
        if (limited) {
          return Ending.of(leaving ? End.STOPPED : End.NO_WELCOME);
        }
      } else if (event instanceof Inbox.Heard heard) {
        receive(heard.frames());
      } else if (event instanceof Inbox.Told) {
        leaving = true;
        deadline = System.nanoTime() + GOODBYE_WITHIN.toNanos();
        Goodbye goodbye = Goodbye.newBuilder().setReason(End.STOPPED.words).build();
        out.sayLast(ClientFrame.newBuilder().setGoodbye(goodbye).build());
      } else if (event instanceof Inbox.Failed failed) {
        throw failed.failure();
      } else if (event instanceof Inbox.Ended ended) {
        return leaving ? Ending.of(End.STOPPED) : endingOf(ended.status());
      }
    }
  }

  /** What was announced is no failure, whatever its status. */
  private Ending endingOf(Status status) {
    return status.isOk() || announced != End.CLOSED
        ? Ending.of(announced)
        : new Ending(End.FAILED, status);
  }

  void say(List<ClientFrame> frames) {
    out.say(frames);
  }

  boolean isOver() {
    return out.isClosed();
  }

  /** Ends the run, if that is what was asked for. */
  void blame(View view) {
    if (settings.onError() == OnError.STOP) {
      inbox.failed(new Failure(Failure.Kind.FAULT, "stopped at the bot's first error: " + view));
    }
  }

  private void hello() {
    Hello hello =
        Hello.newBuilder()
            .setRevision(REVISION)
            .setMinRevision(REVISION)
            .setSoftware(SOFTWARE)
            .setInstanceId(settings.instance())
            .setLane(lane)
            .setResumeSessionId(sessionId)
            .setWorkers(settings.workers())
            .build();
    say(List.of(ClientFrame.newBuilder().setHello(hello).build()));
  }

  private void receive(List<ServerFrame> frames) {
    List<Job> jobs = new ArrayList<>();
    for (ServerFrame frame : frames) {
      switch (frame.getBodyCase()) {
        case PROMPT -> prompted(frame.getPrompt(), jobs);
        case SEAT -> handles.put(frame.getSeat().getHandle(), seats.assign(frame.getSeat()));
        case ENDED -> {
          Seat seat = handles.remove(frame.getEnded().getHandle());
          if (seat != null) {
            seats.end(frame.getEnded().getHandle(), seat.match());
            jobs.add(new Job.End(seat, Result.of(seat.match(), frame.getEnded()), this));
          }
        }
        case WITHDRAWN -> {
          thinkers.add(jobs);
          jobs = new ArrayList<>();
          thinkers.withdraw(this, frame.getWithdrawn());
        }
        case HEARTBEAT -> {
          Pong pong = Pong.newBuilder().setNonce(frame.getHeartbeat().getNonce()).build();
          say(List.of(ClientFrame.newBuilder().setPong(pong).build()));
        }
        case WELCOME -> welcome(frame.getWelcome());
        case NOTICE -> heed(frame.getNotice());
        case RESULT -> resulted(frame.getResult());
        default -> {
          // Entries and snapshots, which nobody asked for, and what later revisions add.
        }
      }
    }
    thinkers.add(jobs);
  }

  private void prompted(dev.ohhell.v1.View prompt, List<Job> jobs) {
    Seat seat = handles.get(prompt.getHandle());
    if (seat == null) {
      LOG.warning(
          "a prompt for the unknown handle " + Integer.toUnsignedString(prompt.getHandle()));
    } else {
      jobs.add(new Job.Prompt(seat, prompt, this));
    }
  }

  private void welcome(Welcome welcome) {
    welcomed = true;
    sessionId = welcome.getSessionId();
    if (!welcome.getResumed()) {
      seats.forget();
    }
    LOG.info(
        "connected to %s as %s, lane %d, workers %d%s"
            .formatted(
                welcome.getSoftware(),
                welcome.getBot(),
                lane,
                welcome.getWorkers(),
                welcome.getResumed() ? ", session resumed" : ""));
  }

  private void resulted(AnswerResult result) {
    if (!result.getAccepted()) {
      Seat seat = handles.get(result.getHandle());
      LOG.warning(
          "table %s decision %s attempt %d: %s %s"
              .formatted(
                  seat == null ? "?" : seat.match().table(),
                  Integer.toUnsignedString(result.getSeq()),
                  result.getAttempt(),
                  result.getReason(),
                  result.getMessage()));
    }
  }

  private void heed(Notice notice) {
    switch (notice.getKind()) {
      case NOTICE_KIND_DRAINING -> {
        announced = End.DRAINED;
        LOG.info("the service goes down in %d ms".formatted(notice.getMilliseconds()));
      }
      case NOTICE_KIND_SUPERSEDED -> announced = End.SUPERSEDED;
      case NOTICE_KIND_PROTOCOL ->
          LOG.warning("bad frame: %s %s".formatted(notice.getReason(), notice.getMessage()));
      default -> LOG.fine(() -> "notice: " + notice);
    }
  }
}
