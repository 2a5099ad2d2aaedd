package dev.ohhell.bot;

import dev.ohhell.v1.SeatAssigned;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.logging.Logger;

/** What a bot process holds, whatever becomes of its connection. */
final class Seats {
  private static final Logger LOG = Logger.getLogger(BotProcess.LOG_NAME);

  private record Place(String table, int seat) {}

  private final Supplier<? extends Bot> newBot;
  private final Map<Place, Seat> held = new HashMap<>();
  private final Map<String, Rules> rules = new HashMap<>();

  Seats(Supplier<? extends Bot> newBot) {
    this.newBot = newBot;
  }

  /** The same seat again where it is assigned again; null where its rules were never told. */
  Seat assign(SeatAssigned assigned) {
    if (assigned.hasRules()) {
      rules.put(assigned.getRulesHash(), new Rules(assigned.getRules()));
    }
    Rules told = rules.get(assigned.getRulesHash());
    Place place = new Place(assigned.getTable(), assigned.getSeat());
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

  void free(Match match) {
    held.remove(new Place(match.table(), match.seat()));
  }

  /** The service knows nothing of an earlier session, so its matches are gone. */
  void forget() {
    held.clear();
  }
}
