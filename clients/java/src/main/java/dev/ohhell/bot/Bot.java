package dev.ohhell.bot;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/**
 * Answers the prompts of one seat. A seat that may not see its own card is played by the library:
 * there is nothing to choose.
 *
 * <p>One seat is never asked two things at the same time.
 */
public interface Bot {
  /** One of {@code view.legalBids()}. */
  int bid(View view);

  /** One of {@code view.legalCards()}. */
  Card play(View view);

  /** One of {@code view.legalSuits()}; by default the longest, of equals the first. */
  default Suit chooseTrump(View view) {
    List<Suit> held = view.hand().stream().map(Card::suit).toList();
    return view.legalSuits().stream()
        .max(
            Comparator.comparingInt((Suit suit) -> Collections.frequency(held, suit))
                .thenComparing(Comparator.reverseOrder()))
        .orElse(Suit.NONE);
  }

  /** Three cards of {@code view.hand()} as a bid; by default the lowest, without a promise. */
  default Laid lay(View view) {
    return new Laid(view.lowestFirst(view.hand()).subList(0, Laid.CARDS), Claim.NONE);
  }

  /** What a joker that {@link #play} has chosen is called, where it needs a call. */
  default JokerCall callJoker(View view, Card joker) {
    return JokerCall.LOW;
  }

  /** Before the first prompt of a match. */
  default void matchStart(Match match) {}

  /** At the end of a match, also when it was cancelled or voided. */
  default void matchEnd(Result result) {}

  /**
   * Plays until the service is gone for good or the process is told to stop, and then exits. With
   * the setting serve it waits for calls of the service, as {@link #serve} does.
   *
   * @param newBot is called once for every match
   * @param arguments those of the program; settings come from them and from the environment
   */
  static void run(Supplier<? extends Bot> newBot, String... arguments) {
    System.exit(new BotProcess(newBot, "").run(arguments));
  }

  /**
   * As {@link #run}, but waits to be called: prints where it listens, and takes one call a lane.
   *
   * @param address the default of the setting serve; port 0 takes a free one
   */
  static void serve(Supplier<? extends Bot> newBot, String address, String... arguments) {
    System.exit(new BotProcess(newBot, address).run(arguments));
  }
}
