package dev.ohhell.bot;

import dev.ohhell.v1.ClientFrame;
import dev.ohhell.v1.Withdrawn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Threads that run the bots, apart from the streams: heartbeats are answered meanwhile. */
final class Thinkers {
  /** Why a prompt is withdrawn that expired. */
  static final String DEFAULTED = "DEFAULTED";

  /** Answers of one received message leave together, unless thinking takes this long. */
  private static final long HOLD_BACK_NS = 1_000_000;

  private static final String NOT_WITHDRAWN = "";
  private static final Logger LOG = Logger.getLogger(BotProcess.LOG_NAME);

  private final int count;
  private final Deque<Job> queue = new ArrayDeque<>();

  /** Prompts in the queue and in work, each with why it was withdrawn. */
  private final Map<Job.Prompt, String> asked = new IdentityHashMap<>();

  private boolean closed;

  /** With one, or none, no two bots ever run at the same time. */
  Thinkers(int count) {
    this.count = Math.max(1, count);
    for (int i = 1; i <= this.count; i++) {
      Thread thinker = new Thread(this::work, "bot-" + i);
      thinker.setDaemon(true);
      thinker.start();
    }
  }

  synchronized void add(List<? extends Job> jobs) {
    for (Job job : jobs) {
      queue.add(job);
      if (job instanceof Job.Prompt prompt) {
        asked.put(prompt, NOT_WITHDRAWN);
      }
    }
    notifyAll();
  }

  /** Thinking on is useless; after {@link #DEFAULTED} the table waits to hear its end. */
  synchronized void withdraw(Stream stream, Withdrawn withdrawn) {
    asked.replaceAll(
        (prompt, reason) ->
            prompt.stream() == stream
                    && prompt.message().getHandle() == withdrawn.getHandle()
                    && prompt.message().getSeq() == withdrawn.getSeq()
                ? withdrawn.getReason()
                : reason);
  }

  synchronized void close() {
    closed = true;
    queue.clear();
    notifyAll();
  }

  /** What is to be done, to one of several thinkers one thing only; nothing at the end. */
  private synchronized List<Job> take() throws InterruptedException {
    while (queue.isEmpty() && !closed) {
      wait();
    }
    List<Job> share = new ArrayList<>();
    while (!queue.isEmpty() && (count == 1 || share.isEmpty())) {
      share.add(queue.remove());
    }
    return share;
  }

  private void work() {
    try {
      for (List<Job> jobs = take(); !jobs.isEmpty(); jobs = take()) {
        doAll(jobs);
      }
    } catch (InterruptedException error) {
      // Nobody but the end of the process interrupts a thinker.
      Thread.currentThread().interrupt();
    }
  }

  private void doAll(List<Job> jobs) {
    List<ClientFrame> ready = new ArrayList<>();
    long since = System.nanoTime();
    for (int i = 0; i < jobs.size(); i++) {
      Job job = jobs.get(i);
      ClientFrame frame = frameOf(job);
      if (frame != null) {
        ready.add(frame);
      }
      boolean last = i + 1 == jobs.size() || jobs.get(i + 1).stream() != job.stream();
      if (last || System.nanoTime() - since > HOLD_BACK_NS) {
        job.stream().say(ready);
        ready = new ArrayList<>();
        since = System.nanoTime();
      }
    }
  }

  /** The answer, or null if there is to be none. */
  private ClientFrame frameOf(Job job) {
    if (job instanceof Job.End end) {
      end.seat().end(end.result());
      return null;
    }
    Job.Prompt prompt = (Job.Prompt) job;
    String before = fate(prompt);
    if (prompt.stream().isOver() || !before.equals(NOT_WITHDRAWN)) {
      done(prompt);
      return before.equals(DEFAULTED)
          ? Decision.noAnswer(prompt.message(), "it came too late")
          : null;
    }
    ClientFrame answer = answer(prompt);
    String after = done(prompt);
    return after.equals(NOT_WITHDRAWN) || after.equals(DEFAULTED) ? answer : null;
  }

  private synchronized String fate(Job.Prompt prompt) {
    return asked.get(prompt);
  }

  private synchronized String done(Job.Prompt prompt) {
    return asked.remove(prompt);
  }

  private ClientFrame answer(Job.Prompt prompt) {
    View view = new View(prompt.message(), prompt.seat().match());
    try {
      return prompt.seat().with(bot -> Decision.ask(bot, view));
    } catch (Decision.BadAnswer error) {
      LOG.severe("the bot failed: %s%n%s".formatted(view, error.getMessage()));
      return concede(prompt, view, error.getMessage());
    } catch (Throwable error) { // whatever a bot's own code may throw
      LOG.log(Level.SEVERE, "the bot failed: " + view, error);
      return concede(prompt, view, error.toString());
    }
  }

  /** The bot has no answer: say so at once, for silence would cost its clock. */
  private static ClientFrame concede(Job.Prompt prompt, View view, String why) {
    prompt.stream().blame(view);
    return Decision.noAnswer(prompt.message(), why);
  }
}
