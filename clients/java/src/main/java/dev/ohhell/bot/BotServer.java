package dev.ohhell.bot;

import dev.ohhell.v1.PlayRequest;
import dev.ohhell.v1.PlayResponse;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.logging.Logger;

/** A bot that waits to be called: the same streams as one that calls, roles swapped. */
public final class BotServer {
  /** Metadata of a call: the lane that it is for; without it, lane 0. */
  private static final Metadata.Key<String> LANE_KEY =
      Metadata.Key.of("ohhell-lane", Metadata.ASCII_STRING_MARSHALLER);

  private static final Context.Key<String> LANE = Context.key("lane");
  private static final int LANES = 256;
  private static final int MAX_MESSAGE_BYTES = 1 << 20;
  private static final Logger LOG = Logger.getLogger(BotProcess.LOG_NAME);

  /** What outlives the calls for one lane; lanes share nothing but the process. */
  private static final class Lane {
    private final int number;
    private final Seats seats;
    private String sessionId = "";
    private boolean taken;

    Lane(int number, Seats seats) {
      this.number = number;
      this.seats = seats;
    }
  }

  private final Supplier<? extends Bot> newBot;
  private final Settings settings;
  private final Map<Integer, Lane> lanes = new HashMap<>();
  private final Stop end = new Stop();
  private final AtomicReference<Failure> fault = new AtomicReference<>();

  public BotServer(Supplier<? extends Bot> newBot, Settings settings) {
    this.newBot = newBot;
    this.settings = settings;
  }

  /**
   * Takes one call a lane until it is told to stop; Failure where it ends for another reason.
   *
   * @param ready is told where it listens
   */
  public void keep(Stop stop, Consumer<String> ready) throws Failure, InterruptedException {
    HostPort address = HostPort.of(settings.serve());
    Runnable ending = end::tell;
    Thinkers thinkers = new Thinkers(settings.threads());
    try {
      Server server = listen(address, thinkers);
      stop.onTold(ending);
      ready.accept(new HostPort(address.host(), server.getPort()).toString());
      end.await();
      server.shutdown();
      // The goodbyes have their second.
      server.awaitTermination(2 * Stream.GOODBYE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      server.shutdownNow();
    } finally {
      stop.forget(ending);
      thinkers.close();
    }
    if (fault.get() != null) {
      throw fault.get();
    }
  }

  private Server listen(HostPort address, Thinkers thinkers) throws Failure {
    ServerServiceDefinition service =
        ServerServiceDefinition.builder(Calls.BOT_SERVICE)
            .addMethod(Calls.PLAY, ServerCalls.asyncBidiStreamingCall(call -> play(call, thinkers)))
            .build();
    try {
      InetSocketAddress where =
          new InetSocketAddress(InetAddress.getByName(address.host()), address.port());
      return NettyServerBuilder.forAddress(where, Encryption.ofCalled(settings))
          .addService(ServerInterceptors.intercept(service, new LaneReader()))
          .maxInboundMessageSize(MAX_MESSAGE_BYTES)
          // A caller that is gone without a word keeps its lane until a ping is missed.
          .keepAliveTime(10, TimeUnit.SECONDS)
          .keepAliveTimeout(5, TimeUnit.SECONDS)
          .permitKeepAliveTime(9, TimeUnit.SECONDS)
          .permitKeepAliveWithoutCalls(true)
          // What is heard is only put into an inbox.
          .directExecutor()
          .build()
          .start();
    } catch (IOException error) {
      Throwable reason = error.getCause() == null ? error : error.getCause();
      throw new Failure(
          Failure.Kind.SETTINGS, "cannot listen on %s: %s".formatted(address, reason.getMessage()));
    }
  }

  private static final class LaneReader implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      String lane = headers.containsKey(LANE_KEY) ? headers.get(LANE_KEY) : "0";
      return Contexts.interceptCall(Context.current().withValue(LANE, lane), call, headers, next);
    }
  }

  private StreamObserver<PlayRequest> play(StreamObserver<PlayResponse> call, Thinkers thinkers) {
    Inbox inbox = new Inbox();
    try {
      Lane lane = take(LANE.get());
      Stream stream =
          new Stream(
              new Dialled(call, inbox),
              inbox,
              lane.seats,
              thinkers,
              settings,
              lane.number,
              lane.sessionId);
      Thread playing = new Thread(() -> play(lane, stream), "lane-" + lane.number);
      playing.setDaemon(true);
      playing.start();
    } catch (io.grpc.StatusException refused) {
      call.onError(refused);
    }
    return new Dialled.Hearing(inbox);
  }

  private Lane take(String text) throws io.grpc.StatusException {
    if (!text.matches("\\d{1,3}") || Integer.parseInt(text) >= LANES) {
      throw Status.INVALID_ARGUMENT
          .withDescription("%s is a number 0..255".formatted(LANE_KEY.name()))
          .asException();
    }
    int number = Integer.parseInt(text);
    synchronized (lanes) {
      Lane lane = lanes.computeIfAbsent(number, fresh -> new Lane(fresh, new Seats(newBot)));
      if (lane.taken) {
        throw Status.RESOURCE_EXHAUSTED
            .withDescription("lane %d of this bot process is in another call".formatted(number))
            .asException();
      }
      lane.taken = true;
      return lane;
    }
  }

  private void play(Lane lane, Stream stream) {
    try {
      LOG.info("lane %d: %s".formatted(lane.number, stream.play(end)));
    } catch (Failure failure) {
      fault.compareAndSet(null, failure);
      end.tell();
    } catch (InterruptedException error) {
      // Nobody but the end of the process interrupts a lane.
      Thread.currentThread().interrupt();
    } finally {
      synchronized (lanes) {
        lane.sessionId = stream.sessionId();
        lane.taken = false;
      }
    }
  }
}
