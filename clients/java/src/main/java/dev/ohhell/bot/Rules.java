package dev.ohhell.bot;

import java.util.List;

/** A resolved rule set: what cards are worth, and its message for all else. */
public final class Rules {
  /** Strength of jokers and wizards; every rank is below. */
  public static final int ABOVE_ALL_RANKS = 20;

  private static final int[] FRENCH_ORDER = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
  private static final int[] SPANISH_ORDER = {2, 4, 5, 6, 7, 11, 12, 13, 3, 14};
  private static final int RANKS = 15;

  private final dev.ohhell.v1.Rules message;
  private final List<Card> pack;
  private final int[] places = new int[RANKS];
  private final boolean jokersAreSuitless;

  /** A bot's tests make rules this way. */
  public Rules(dev.ohhell.v1.Rules message) {
    this.message = message;
    pack = Card.listOf(message.getPackValueList());
    jokersAreSuitless = message.getJokerMode().equals("high_low");
    boolean spanish = pack.stream().anyMatch(Card::isSpanishCourt);
    int place = 0;
    for (int rank : spanish ? SPANISH_ORDER : FRENCH_ORDER) {
      places[rank] = ++place;
    }
  }

  /** Every parameter, by the words of the parameter reference. */
  public dev.ohhell.v1.Rules message() {
    return message;
  }

  public int players() {
    return message.getPlayers();
  }

  /** Every card that is in play, as often as it is. */
  public List<Card> pack() {
    return pack;
  }

  /**
   * The place of the card's rank in the rank order of the table, from 1; zero for jesters, {@link
   * #ABOVE_ALL_RANKS} for jokers and wizards.
   */
  public int strength(Card card) {
    return card.isJoker() || card.isWizard() ? ABOVE_ALL_RANKS : places[card.rank()];
  }

  /** True of wizards, of jesters, and of jokers where they are no suit. */
  public boolean isSuitless(Card card) {
    return card.isWizard() || card.isJester() || card.isJoker() && jokersAreSuitless;
  }

  /** What the cards of a trick, in order of play, ask for; {@link Suit#NONE} for no suit. */
  public Suit ledSuit(List<Card> trick) {
    for (Card card : trick) {
      if (!isSuitless(card)) {
        return card.suit();
      }
      if (card.isWizard()) {
        return Suit.NONE;
      }
    }
    return Suit.NONE;
  }

  boolean lastDuplicateWins() {
    return message.getDuplicateWinner().equals("last");
  }
}
