package dev.ohhell.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.ohhell.v1.ClientFrame;
import dev.ohhell.v1.ConnectResponse;
import dev.ohhell.v1.ServerFrame;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The service's end of one call, either way round. */
abstract class Caller {
  static final int PATIENCE_S = 20;

  private static final int MAX_FRAMES = 128;

  private record Heard(ClientFrame frame) {}

  private static final Heard OVER = new Heard(null);

  private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();

  /** Sends one message. */
  abstract void say(ConnectResponse message);

  abstract void end(Status.Code code);

  /** The service closes its side, where it was the service that called. */
  abstract void hangUp();

  void say(List<ServerFrame> frames) {
    say(ConnectResponse.newBuilder().addAllFrames(frames).build());
  }

  void say(ServerFrame... frames) {
    say(List.of(frames));
  }

  /** What the bot sends comes here, from whatever thread. */
  void hear(List<ClientFrame> frames) {
    if (frames.size() > MAX_FRAMES) {
      heard.add(OVER); // and whoever waits for more than that fails
      return;
    }
    frames.forEach(frame -> heard.add(new Heard(frame)));
  }

  void hearNoMore() {
    heard.add(OVER);
  }

  private Heard take() throws InterruptedException {
    Heard next = heard.poll(PATIENCE_S, TimeUnit.SECONDS);
    return next == null ? fail("nothing came") : next;
  }

  ClientFrame next() throws InterruptedException {
    Heard next = take();
    return next == OVER ? fail("the bot ended the stream") : next.frame();
  }

  void expectNoMore() throws InterruptedException {
    assertEquals(OVER, take());
  }

  /** In any order. */
  void expect(List<ClientFrame> wanted) throws InterruptedException {
    List<ClientFrame> frames = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      ClientFrame frame = next();
      assertTrue(!frame.hasHello() || !frame.getHello().getSoftware().isEmpty());
      frames.add(frame);
    }
    assertEquals(comparable(wanted), comparable(frames));
  }

  /** Without what each library says in its own words, and in an order of its own. */
  private static List<ClientFrame> comparable(List<ClientFrame> frames) {
    return frames.stream()
        .map(
            frame -> {
              ClientFrame.Builder builder = frame.toBuilder();
              if (builder.hasHello()) {
                builder.getHelloBuilder().clearSoftware();
              }
              if (builder.hasAnswer()) {
                builder.getAnswerBuilder().clearNote();
              }
              return builder.build();
            })
        .sorted(Comparator.comparing(ClientFrame::toString))
        .toList();
  }
}
