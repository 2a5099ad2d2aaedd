package mybot;

import dev.ohhell.bot.Bot;
import dev.ohhell.bot.Card;
import dev.ohhell.bot.View;
import java.util.Comparator;
import java.util.List;

/**
 * A first bot: counts likely tricks, takes them while they are needed, then ducks.
 *
 * <p>In the spec of a tournament: command = ["java", "-jar", "target/mybot.jar"], after building.
 */
public final class MyBot implements Bot {
  private static final int KING = 13;

  /** The legal bid nearest to the number of aces, kings and high trumps. */
  @Override
  public int bid(View view) {
    long likely = view.hand().stream().filter(c -> isStrong(view, c)).count();
    return view.legalBids().stream()
        .min(Comparator.comparingLong(bid -> Math.abs(bid - likely)))
        .orElseThrow();
  }

  /** Every card in legalCards is allowed; the question is which one is wise. */
  @Override
  public Card play(View view) {
    List<Card> cards =
        view.lowestFirst(view.legalCards()).stream()
            .sorted(Comparator.comparingInt(card -> strength(view, card)))
            .toList();
    List<Card> winners = cards.stream().filter(view::wins).toList();
    List<Card> losers = cards.stream().filter(card -> !view.wins(card)).toList();
    if (view.needed() > 0 && !winners.isEmpty()) {
      boolean leads = view.trick().isEmpty();
      return leads ? last(winners) : winners.get(0); // in a trick, as cheaply as possible
    }
    if (view.needed() <= 0 && !losers.isEmpty()) {
      return last(losers); // the most dangerous card that does not win
    }
    return cards.get(0);
  }

  private static boolean isStrong(View view, Card card) {
    return card.suit() == view.trump() ? card.rank() > 8 : card.rank() >= KING;
  }

  /** A trump is above every card of another suit. */
  private static int strength(View view, Card card) {
    int strength = view.match().rules().strength(card);
    return card.suit() == view.trump() ? 20 + strength : strength;
  }

  private static Card last(List<Card> cards) {
    return cards.get(cards.size() - 1);
  }

  public static void main(String... arguments) {
    Bot.run(MyBot::new, arguments);
  }
}
