package dev.ohhell.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ohhell.lowest.Lowest;
import dev.ohhell.v1.Answer;
import dev.ohhell.v1.Heartbeat;
import dev.ohhell.v1.SeatAssigned;
import dev.ohhell.v1.SeatEnded;
import dev.ohhell.v1.ServerFrame;
import dev.ohhell.v1.Welcome;
import dev.ohhell.v1.Withdrawn;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamTest {
  /** Thinks about the first table until its gate is opened. */
  private static final class Gated implements Bot {
    private final CountDownLatch gate = new CountDownLatch(1);
    private final BlockingQueue<String> called = new LinkedBlockingQueue<>();

    @Override
    public int bid(View view) {
      called.add(view.match().table());
      if (view.match().table().equals("t1")) {
        try {
          gate.await();
        } catch (InterruptedException error) {
          throw new IllegalStateException(error);
        }
      }
      return 1;
    }

    @Override
    public Card play(View view) {
      return view.legalCards().get(0);
    }

    @Override
    public void matchStart(Match match) {
      called.add("start " + match.table());
    }

    @Override
    public void matchEnd(Result result) {
      called.add("end " + result.match().table());
    }

    String nextCall() throws InterruptedException {
      return called.poll(Caller.PATIENCE_S, TimeUnit.SECONDS);
    }
  }

  /** A service with one bot that has connected. */
  private static final class Met implements AutoCloseable {
    private final Arena arena = new Arena();
    private final Running run;
    private final Caller stream;

    Met(Supplier<Bot> newBot, int threads) throws Exception {
      Settings settings = new Settings();
      settings.address = arena.address();
      settings.workers = 4;
      settings.threads = threads;
      run = new Running(new Connection(newBot, settings)::keep);
      stream = arena.next();
      stream.next();
      stream.say(welcome(false));
    }

    @Override
    public void close() {
      run.close();
      arena.close();
    }
  }

  private static ServerFrame welcome(boolean resumed) {
    return ServerFrame.newBuilder()
        .setWelcome(Welcome.newBuilder().setSessionId("s1").setWorkers(4).setResumed(resumed))
        .build();
  }

  private static ServerFrame assigned(int handle, String table) {
    return ServerFrame.newBuilder()
        .setSeat(
            SeatAssigned.newBuilder()
                .setHandle(handle)
                .setTable(table)
                .setRulesHash("h")
                .setRules(dev.ohhell.v1.Rules.newBuilder().setPlayers(3)))
        .build();
  }

  private static ServerFrame asked(int handle, int seq) {
    return ServerFrame.newBuilder()
        .setPrompt(
            dev.ohhell.v1.View.newBuilder()
                .setHandle(handle)
                .setSeq(seq)
                .setAsk(dev.ohhell.v1.Ask.ASK_BID)
                .setAttempt(1)
                .addAllLegalBids(List.of(0, 1)))
        .build();
  }

  private static ServerFrame withdrawn(int handle, int seq, String reason) {
    return ServerFrame.newBuilder()
        .setWithdrawn(Withdrawn.newBuilder().setHandle(handle).setSeq(seq).setReason(reason))
        .build();
  }

  private static ServerFrame beat(int nonce) {
    return ServerFrame.newBuilder().setHeartbeat(Heartbeat.newBuilder().setNonce(nonce)).build();
  }

  @Test
  void heartbeatsAreAnsweredWhileABotThinks() throws Exception {
    Gated bot = new Gated();
    try (Met met = new Met(() -> bot, 0)) {
      met.stream.say(assigned(1, "t1"), asked(1, 7), beat(3));
      assertEquals(3, met.stream.next().getPong().getNonce());
      bot.gate.countDown();
      assertEquals(1, met.stream.next().getAnswer().getBid());
    }
  }

  @ParameterizedTest
  @CsvSource({"1, false", "2, true"})
  void oneThreadNeverRunsTwoBotsAtTheSameTimeAndSeveralDo(int threads, boolean both)
      throws Exception {
    Gated bot = new Gated();
    try (Met met = new Met(() -> bot, threads)) {
      met.stream.say(assigned(1, "t1"), assigned(2, "t2"), asked(1, 7));
      assertEquals("start t1", bot.nextCall());
      assertEquals("t1", bot.nextCall());
      met.stream.say(asked(2, 7));
      if (both) {
        assertEquals(2, met.stream.next().getAnswer().getHandle());
      }
      met.stream.say(beat(1));
      assertTrue(met.stream.next().hasPong());
      assertEquals(both, !bot.called.isEmpty());
      bot.gate.countDown();
    }
  }

  @Test
  void whatWasWithdrawnWhileThinkingIsNotAnswered() throws Exception {
    Gated bot = new Gated();
    try (Met met = new Met(() -> bot, 0)) {
      met.stream.say(assigned(1, "t1"), assigned(2, "t2"), asked(1, 7), asked(2, 3));
      assertEquals("start t1", bot.nextCall());
      assertEquals("t1", bot.nextCall());
      met.stream.say(
          withdrawn(1, 7, "AMENDED"), withdrawn(2, 3, "CANCELLED"), asked(1, 8), beat(1));
      assertTrue(met.stream.next().hasPong());
      bot.gate.countDown();
      assertEquals(8, met.stream.next().getAnswer().getSeq());
    }
  }

  @Test
  void whatExpiredIsAnsweredNeverthelessForTheTableWaitsToHearIt() throws Exception {
    Gated bot = new Gated();
    try (Met met = new Met(() -> bot, 0)) {
      met.stream.say(assigned(1, "t1"), assigned(2, "t2"), asked(1, 7));
      assertEquals("start t1", bot.nextCall());
      assertEquals("t1", bot.nextCall());
      met.stream.say(
          asked(2, 3), withdrawn(1, 7, Thinkers.DEFAULTED), withdrawn(2, 3, Thinkers.DEFAULTED));
      met.stream.say(beat(1));
      assertTrue(met.stream.next().hasPong());
      bot.gate.countDown();
      Answer late = met.stream.next().getAnswer();
      assertEquals(1, late.getHandle());
      assertEquals(1, late.getBid());
      // The second one had not been begun.
      Answer none = met.stream.next().getAnswer();
      assertEquals(2, none.getHandle());
      assertEquals(Answer.ActionCase.ACTION_NOT_SET, none.getActionCase());
    }
  }

  @Test
  void aBotIsToldOfItsMatchOnceAlsoWhenTheStreamIsLost() throws Exception {
    AtomicInteger made = new AtomicInteger();
    Gated bot = new Gated();
    bot.gate.countDown();
    Supplier<Bot> making =
        () -> {
          made.incrementAndGet();
          return bot;
        };
    try (Met met = new Met(making, 0)) {
      met.stream.say(assigned(1, "t1"), asked(1, 7));
      met.stream.next();
      met.stream.end(Status.Code.UNAVAILABLE);
      Caller again = met.arena.next();
      assertEquals("s1", again.next().getHello().getResumeSessionId());
      again.say(welcome(true));
      ServerFrame ended =
          ServerFrame.newBuilder().setEnded(SeatEnded.newBuilder().setHandle(9)).build();
      again.say(assigned(9, "t1"), asked(9, 8), ended);
      again.next();
      for (String wanted : List.of("start t1", "t1", "t1", "end t1")) {
        assertEquals(wanted, bot.nextCall());
      }
    }
    assertEquals(1, made.get());
  }

  @Test
  void aServiceThatForgotTheSessionHasABotMadeAnew() throws Exception {
    BlockingQueue<Bot> made = new LinkedBlockingQueue<>();
    Supplier<Bot> making =
        () -> {
          Bot bot = new Lowest();
          made.add(bot);
          return bot;
        };
    try (Met met = new Met(making, 0)) {
      met.stream.say(assigned(1, "t1"), asked(1, 7));
      met.stream.next();
      met.stream.end(Status.Code.UNAVAILABLE);
      Caller again = met.arena.next();
      again.next();
      again.say(welcome(false));
      again.say(assigned(1, "t1"), asked(1, 2));
      again.next();
    }
    assertEquals(2, made.size());
  }

  @Test
  void aFailureIsNotedForTheBotsOwnLog() throws Exception {
    try (Met met = new Met(Script.Fails::new, 0)) {
      met.stream.say(assigned(1, "t1"), asked(1, 7));
      String note = met.stream.next().getAnswer().getNote();
      assertEquals("java.lang.IllegalStateException: the script says so", note);
    }
  }

  @Test
  void whatIsNoAnswerIsToldAtOnce() throws Exception {
    Bot answersNothing =
        new Script.Fails() {
          @Override
          public int bid(View view) {
            return -1;
          }
        };
    try (Met met = new Met(() -> answersNothing, 0)) {
      met.stream.say(assigned(1, "t1"), asked(1, 7));
      String note = met.stream.next().getAnswer().getNote();
      assertEquals("bid returned -1, which is no number of tricks", note);
    }
  }

  @Test
  void aNoteIsCutToWhatTheWireAllows() {
    assertEquals("a" + "ä".repeat(127), Decision.cut("a" + "ä".repeat(200)));
  }

  @Test
  void aBotGivesUpWhenItsPatienceIsOver() throws Exception {
    Settings settings = new Settings();
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      settings.address = "127.0.0.1:" + socket.getLocalPort();
    }
    settings.patience = Duration.ZERO;
    try (Running run = new Running(new Connection(Lowest::new, settings)::keep)) {
      assertTrue(run.ending().startsWith("GIVEN_UP"), run.ending());
    }
  }

  @Test
  void aBotThatIsStoppedBeforeItReachedAnybodyEnds() throws Exception {
    Settings settings = new Settings();
    settings.address = "127.0.0.1:1";
    try (Running run = new Running(new Connection(Lowest::new, settings)::keep)) {
      run.stop();
      assertEquals("stopped", run.ending());
    }
  }

  @Test
  void aLaneIsANumberAndHasOneCaller() throws Exception {
    Settings settings = new Settings();
    settings.serve = "127.0.0.1:0";
    CompletableFuture<String> ready = new CompletableFuture<>();
    BotServer server = new BotServer(Lowest::new, settings);
    try (Running run = new Running(stop -> server.keep(stop, ready::complete))) {
      ManagedChannel channel =
          Grpc.newChannelBuilder(
                  ready.get(Caller.PATIENCE_S, TimeUnit.SECONDS),
                  InsecureChannelCredentials.create())
              .build();
      try {
        assertEquals(3, Dialling.dial(channel, 3).next().getHello().getLane());
        Map<String, Status.Code> answers =
            Map.of(
                "3", Status.Code.RESOURCE_EXHAUSTED,
                "-1", Status.Code.INVALID_ARGUMENT,
                "256", Status.Code.INVALID_ARGUMENT,
                "x", Status.Code.INVALID_ARGUMENT,
                "", Status.Code.INVALID_ARGUMENT);
        for (Map.Entry<String, Status.Code> answer : answers.entrySet()) {
          assertEquals(answer.getValue(), Dialling.answer(channel, answer.getKey()));
        }
      } finally {
        channel.shutdownNow();
      }
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    Settings settings = new Settings();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      settings.serve = "127.0.0.1:" + taken.getLocalPort();
      BotServer server = new BotServer(Lowest::new, settings);
      try (Running run = new Running(stop -> server.keep(stop, address -> {}))) {
        assertTrue(run.ending().startsWith("SETTINGS: cannot listen on"), run.ending());
        assertTrue(run.ending().endsWith("Address already in use"), run.ending());
      }
    }
  }

  @Test
  void everyFailureHasItsExitStatus() {
    assertEquals(1, Failure.Kind.FAULT.exitStatus());
    assertEquals(2, Failure.Kind.SETTINGS.exitStatus());
    assertEquals(2, Failure.Kind.REFUSED.exitStatus());
    assertEquals(3, Failure.Kind.GIVEN_UP.exitStatus());
  }
}
