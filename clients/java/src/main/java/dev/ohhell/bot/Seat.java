package dev.ohhell.bot;

import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * One match of a bot. Its bot is made and told of the match by whoever thinks for it first, and
 * does one thing at a time.
 */
final class Seat {
  private static final Logger LOG = Logger.getLogger(BotProcess.LOG_NAME);

  private final Match match;
  private final Supplier<? extends Bot> newBot;
  private Bot bot;

  Seat(Match match, Supplier<? extends Bot> newBot) {
    this.match = match;
    this.newBot = newBot;
  }

  Match match() {
    return match;
  }

  /** The bot, for as long as nobody else may have it; throws what the bot's own code throws. */
  synchronized <T> T with(java.util.function.Function<Bot, T> work) {
    return work.apply(bot());
  }

  private Bot bot() {
    if (bot == null) {
      bot = newBot.get();
      guarded("matchStart", () -> bot.matchStart(match));
    }
    return bot;
  }

  synchronized void end(Result result) {
    guarded("matchEnd", () -> bot().matchEnd(result));
  }

  private void guarded(String method, Runnable call) {
    try {
      call.run();
    } catch (Throwable error) { // whatever a bot's own code may throw
      LOG.log(Level.SEVERE, "%s failed at table %s".formatted(method, match.table()), error);
    }
  }
}
