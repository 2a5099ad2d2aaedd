package dev.ohhell.bot;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Who wins the trick on the table. */
final class Trick {
  // Powers of cards within one trick, far enough apart for every strength to fit between.
  private static final int OF_LED_SUIT = 100;
  private static final int OF_TRUMP = 200;
  private static final int OUTRIGHT = 300;

  /** Place in the trick and power of the card that wins so far. */
  record Winner(int place, Card card, int power) {}

  private final View view;
  private final Rules rules;
  private final List<Card> cards;
  private final Suit led;

  Trick(View view) {
    this.view = view;
    rules = view.match().rules();
    cards = view.trickCards();
    led = rules.ledSuit(cards);
  }

  Optional<Winner> winner() {
    int jokers = (int) cards.stream().filter(Card::isJoker).count();
    List<JokerCall> called = view.jokerCalls();
    Iterator<JokerCall> calls =
        called.subList(Math.max(0, called.size() - jokers), called.size()).iterator();
    Winner best = null;
    for (int place = 0; place < cards.size(); place++) {
      Card card = cards.get(place);
      JokerCall call = card.isJoker() && calls.hasNext() ? calls.next() : JokerCall.NONE;
      int power = power(card, led, call);
      if (best == null || beats(card, power, best)) {
        best = new Winner(place, card, power);
      }
    }
    return Optional.ofNullable(best);
  }

  boolean wins(Card card, JokerCall call) {
    JokerCall valued =
        !card.isJoker()
            ? call
            : switch (view.call()) {
              case FIXED_HIGH -> JokerCall.HIGH;
              case FIXED_LOW -> JokerCall.LOW;
              default -> call;
            };
    Suit suit =
        led == Suit.NONE
            ? rules.ledSuit(Stream.concat(cards.stream(), Stream.of(card)).toList())
            : led;
    return winner().map(best -> beats(card, power(card, suit, valued), best)).orElse(true);
  }

  private int power(Card card, Suit led, JokerCall call) {
    if (rules.isSuitless(card)) {
      return card.isWizard() || call == JokerCall.HIGH ? OUTRIGHT : 0;
    }
    if (card.suit() == view.trump()) {
      return OF_TRUMP + rules.strength(card);
    }
    return card.suit() == led ? OF_LED_SUIT + rules.strength(card) : 0;
  }

  private boolean beats(Card card, int power, Winner best) {
    if (power == best.power() && card.equals(best.card()) && power > 0) {
      return rules.lastDuplicateWins();
    }
    return power > best.power();
  }
}
