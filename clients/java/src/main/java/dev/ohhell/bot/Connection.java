package dev.ohhell.bot;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Logger;

/** A succession of streams that look like one to the bots. */
public final class Connection {
  private static final Duration FIRST_WAIT = Duration.ofMillis(100);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);
  private static final int MAX_MESSAGE_BYTES = 1 << 20;
  private static final Set<Status.Code> USELESS_TO_RETRY =
      EnumSet.of(
          Status.Code.UNAUTHENTICATED,
          Status.Code.PERMISSION_DENIED,
          Status.Code.INVALID_ARGUMENT,
          Status.Code.FAILED_PRECONDITION,
          Status.Code.UNIMPLEMENTED);
  private static final Logger LOG = Logger.getLogger(BotProcess.LOG_NAME);

  private final Settings settings;
  private final Seats seats;
  private String sessionId = "";
  private boolean welcomed;

  public Connection(Supplier<? extends Bot> newBot, Settings settings) {
    this.settings = settings;
    this.seats = new Seats(newBot);
  }

  /** Plays until it is told to stop; Failure where it ends for another reason. */
  public void keep(Stop stop) throws Failure, InterruptedException {
    ChannelCredentials credentials = Encryption.ofCaller(settings);
    Thinkers thinkers = new Thinkers(settings.threads());
    try {
      keep(stop, credentials, thinkers);
    } finally {
      thinkers.close();
    }
  }

  private void keep(Stop stop, ChannelCredentials credentials, Thinkers thinkers)
      throws Failure, InterruptedException {
    Duration wait = FIRST_WAIT;
    long lostAt = System.nanoTime();
    String why = "";
    while (true) {
      Stream.Ending ending = oneStream(stop, credentials, thinkers);
      if (stop.isTold()) {
        return;
      }
      if (ending.end() == Stream.End.SUPERSEDED) {
        throw new Failure(Failure.Kind.REFUSED, "%s (%s)".formatted(ending, settings.instance()));
      }
      if (USELESS_TO_RETRY.contains(ending.status().getCode())) {
        throw new Failure(Failure.Kind.REFUSED, "%s: %s".formatted(settings.address(), ending));
      }
      if (welcomed) {
        wait = FIRST_WAIT;
        lostAt = System.nanoTime();
      }
      String now = ending + (welcomed ? "" : Encryption.advice(settings, ending.toString()));
      if (welcomed || !why.equals(now)) {
        why = now;
        LOG.warning(why + ": trying again");
      }
      if (System.nanoTime() - lostAt > settings.patience().toNanos()) {
        throw new Failure(
            Failure.Kind.GIVEN_UP,
            "%s was out of reach for %d s: %s"
                .formatted(settings.address(), settings.patience().toSeconds(), why));
      }
      // Not a part of any game: many bots must not come back at once.
      double share = ThreadLocalRandom.current().nextDouble(0.8, 1.2);
      if (stop.await(Duration.ofMillis(Math.round(wait.toMillis() * share)))) {
        return;
      }
      wait = wait.multipliedBy(2).compareTo(LONGEST_WAIT) < 0 ? wait.multipliedBy(2) : LONGEST_WAIT;
    }
  }

  private Stream.Ending oneStream(Stop stop, ChannelCredentials credentials, Thinkers thinkers)
      throws Failure, InterruptedException {
    ManagedChannel channel = channel(credentials);
    try {
      Inbox inbox = new Inbox();
      Line line = new DialledIn(channel, settings.token(), inbox);
      Stream stream =
          new Stream(line, inbox, seats, thinkers, settings, settings.lane(), sessionId);
      Stream.Ending ending = stream.play(stop);
      sessionId = stream.sessionId();
      welcomed = stream.welcomed();
      return ending;
    } finally {
      channel.shutdownNow();
    }
  }

  private ManagedChannel channel(ChannelCredentials credentials) {
    HostPort address = HostPort.of(settings.address());
    return Grpc.newChannelBuilderForAddress(address.host(), address.port(), credentials)
        .keepAliveTime(20, TimeUnit.SECONDS)
        .keepAliveTimeout(10, TimeUnit.SECONDS)
        .keepAliveWithoutCalls(true)
        .maxInboundMessageSize(MAX_MESSAGE_BYTES)
        .disableRetry()
        // The address is all there is to be known: nothing that a name server or the
        // environment says sends the bot, and its token, elsewhere.
        .disableServiceConfigLookUp()
        .proxyDetector(target -> null)
        // What is heard is only put into an inbox.
        .directExecutor()
        .build();
  }
}
