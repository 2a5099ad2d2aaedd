package dev.ohhell.bot;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Tells a run, once, that it is to end; from any thread. */
public final class Stop {
  private final Set<Runnable> listeners = new LinkedHashSet<>();
  private boolean told;

  /** Ends the run; again, it does nothing. */
  public void tell() {
    List<Runnable> called;
    synchronized (this) {
      told = true;
      notifyAll();
      called = List.copyOf(listeners);
      listeners.clear();
    }
    called.forEach(Runnable::run);
  }

  synchronized boolean isTold() {
    return told;
  }

  /** Calls at once where it has been told already. */
  void onTold(Runnable listener) {
    synchronized (this) {
      if (!told) {
        listeners.add(listener);
        return;
      }
    }
    listener.run();
  }

  synchronized void forget(Runnable listener) {
    listeners.remove(listener);
  }

  synchronized void await() throws InterruptedException {
    while (!told) {
      wait();
    }
  }

  /** Whether it was told within that time. */
  synchronized boolean await(Duration atMost) throws InterruptedException {
    long until = System.nanoTime() + atMost.toNanos();
    while (!told) {
      long left = (until - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }
}
