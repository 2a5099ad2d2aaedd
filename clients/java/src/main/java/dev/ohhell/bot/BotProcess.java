package dev.ohhell.bot;

import java.util.List;
import java.util.function.Supplier;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import sun.misc.Signal;

/** A program that is a bot, from its settings to its exit status. */
final class BotProcess {
  static final String LOG_NAME = "dev.ohhell.bot";

  private static final int INTERRUPTED = 130;
  private static final int SIGNALLED = 128;
  private static final Logger LOG = Logger.getLogger(LOG_NAME);

  private final Supplier<? extends Bot> newBot;
  private final Settings settings = new Settings();
  private final Stop stop = new Stop();
  private volatile boolean interrupted;

  /** Serves by default where that address is not empty. */
  BotProcess(Supplier<? extends Bot> newBot, String serve) {
    this.newBot = newBot;
    settings.serve = serve;
  }

  int run(String... arguments) {
    // The JDK has no other way to tell a request to stop from ^C, and to answer it with 0.
    Signal.handle(new Signal("TERM"), this::stop);
    Signal.handle(new Signal("INT"), this::stop);
    try {
      settings.with(List.of(arguments), System.getenv());
      logToStderr();
      play();
      return interrupted ? INTERRUPTED : 0;
    } catch (Failure failure) {
      System.err.println("ohhell_bot: " + failure.getMessage());
      return failure.kind().exitStatus();
    } catch (InterruptedException error) {
      return INTERRUPTED;
    }
  }

  /** A second signal ends a bot that never comes back. */
  private void stop(Signal signal) {
    if (stop.isTold()) {
      Runtime.getRuntime().halt(SIGNALLED + signal.getNumber());
    }
    interrupted = signal.getName().equals("INT");
    stop.tell();
  }

  private void play() throws Failure, InterruptedException {
    if (settings.serve().isEmpty()) {
      new Connection(newBot, settings).keep(stop);
    } else {
      // Whoever started it reads where to call.
      new BotServer(newBot, settings)
          .keep(stop, address -> System.out.println("serving on " + address));
    }
  }

  private void logToStderr() {
    ConsoleHandler handler = new ConsoleHandler();
    handler.setLevel(settings.log());
    handler.setFormatter(new OneLine());
    LOG.addHandler(handler);
    LOG.setUseParentHandlers(false);
    LOG.setLevel(settings.log());
  }

  private static final class OneLine extends Formatter {
    @Override
    public String format(LogRecord record) {
      StringBuilder text = new StringBuilder();
      text.append(
          "%1$tF %1$tT,%1$tL ohhell_bot %2$s %3$s%n"
              .formatted(record.getMillis(), record.getLevel(), formatMessage(record)));
      if (record.getThrown() != null) {
        java.io.StringWriter stack = new java.io.StringWriter();
        record.getThrown().printStackTrace(new java.io.PrintWriter(stack, true));
        text.append(stack);
      }
      return text.toString();
    }
  }
}
