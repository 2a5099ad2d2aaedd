package dev.ohhell.bot;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A bot at work. */
final class Running implements AutoCloseable {
  /** What is at work until it is told to stop. */
  interface Work {
    void keep(Stop stop) throws Failure, InterruptedException;
  }

  private final Stop stop = new Stop();
  private final CompletableFuture<String> over = new CompletableFuture<>();

  Running(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.keep(stop);
                over.complete("stopped");
              } catch (Failure failure) {
                over.complete(failure.kind() + ": " + failure.getMessage());
              } catch (Throwable error) {
                over.completeExceptionally(error);
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  static Running connecting(Script script, Settings settings) {
    return new Running(new Connection(script.bots(), settings)::keep);
  }

  void stop() {
    stop.tell();
  }

  /** How it ended: stopped, or the kind of failure and its message. */
  String ending() throws Exception {
    return over.get(Caller.PATIENCE_S, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    stop();
  }
}
