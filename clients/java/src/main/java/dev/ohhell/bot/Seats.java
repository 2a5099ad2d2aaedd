package dev.ohhell.bot;

import dev.ohhell.v1.SeatAssigned;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.logging.Logger;

/** What a bot process holds, whatever becomes of its connection. */
final class Seats {
  private static final Logger LOG = Logger.getLogger(BotProcess.LOG_NAME);

  /** Seats that have ended: the service says no more of them a second time. */
  private static final int MOST_REMEMBERED = 512;

  private record Place(String table, int seat) {}

  private record Ended(int handle, Place place) {}

  private final Supplier<? extends Bot> newBot;
  private final Map<Place, Seat> held = new HashMap<>();
  private final Map<String, Rules> rules = new HashMap<>();

  /** Seats that are over, oldest first. */
  private final Deque<Ended> ended = new ArrayDeque<>();

  Seats(Supplier<? extends Bot> newBot) {
    this.newBot = newBot;
  }

  /**
   * The same seat again where it is assigned again; null where its rules were never told, and for
   * one that is over: the service cannot know that it was heard.
   */
  Seat assign(SeatAssigned assigned) {
    if (assigned.hasRules()) {
      rules.put(assigned.getRulesHash(), new Rules(assigned.getRules()));
    }
    Rules told = rules.get(assigned.getRulesHash());
    Place place = new Place(assigned.getTable(), assigned.getSeat());
    if (ended.contains(new Ended(assigned.getHandle(), place))) {
      return null;
    }
    if (told == null && !held.containsKey(place)) {
      LOG.warning("table %s has rules that were never told".formatted(assigned.getTable()));
      return null;
    }
    return held.computeIfAbsent(
        place,
        fresh -> {
          LOG.fine("seat %d at table %s".formatted(fresh.seat(), fresh.table()));
          // The rules are kept once for all matches, so they need not stay in each.
          SeatAssigned message = assigned.toBuilder().clearRules().build();
          return new Seat(new Match(message, told), newBot);
        });
  }

  void end(int handle, Match match) {
    Place place = new Place(match.table(), match.seat());
    held.remove(place);
    ended.add(new Ended(handle, place));
    if (ended.size() > MOST_REMEMBERED) {
      ended.remove();
    }
  }

  /** The service knows nothing of an earlier session, so its matches are gone. */
  void forget() {
    held.clear();
    ended.clear();
  }
}
