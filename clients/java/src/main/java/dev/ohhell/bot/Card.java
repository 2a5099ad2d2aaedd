package dev.ohhell.bot;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A card by its code, 1..74; equal codes are equal cards, and {@link #NONE} is none. */
public final class Card implements Comparable<Card> {
  private static final int CODES = 75;
  private static final String SUITS = "CDHS";
  private static final String RANKS = "..23456789TJQKA";
  private static final String SPANISH_COURT = "SCR";
  private static final int FIRST_COURT_RANK = 11;
  private static final Card[] ALL = new Card[CODES];
  private static final Map<String, Card> BY_TEXT = new HashMap<>();

  static {
    for (int code = 0; code < CODES; code++) {
      ALL[code] = new Card(code, textOf(code));
      if (code > 0) {
        BY_TEXT.put(ALL[code].text, ALL[code]);
      }
    }
  }

  /** Stands where there is no card, or none that the seat may see. */
  public static final Card NONE = ALL[0];

  private final int code;
  private final String text;
  private final Suit suit;
  private final int rank;

  private Card(int code, String text) {
    this.code = code;
    this.text = text;
    int place = SUITS.indexOf(text.charAt(1));
    if (text.length() == 2 && place >= 0) {
      suit = Suit.of(Suit.CLUBS.ordinal() + place);
      int court = SPANISH_COURT.indexOf(text.charAt(0));
      rank = court < 0 ? RANKS.indexOf(text.charAt(0)) : FIRST_COURT_RANK + court;
    } else {
      suit = text.startsWith("X") ? Suit.JOKERS : Suit.NONE;
      rank = 0;
    }
  }

  private static String textOf(int code) {
    return code == 0 ? "--" : dev.ohhell.v1.Card.forNumber(code).name().substring("CARD_".length());
  }

  /** The card of a code, those of later revisions included. */
  public static Card of(int code) {
    return code >= 0 && code < CODES ? ALL[code] : new Card(code, "card " + code);
  }

  static List<Card> listOf(List<Integer> codes) {
    return codes.stream().map(Card::of).toList();
  }

  /** The inverse of {@link #toString}; IllegalArgumentException where it is no card. */
  public static Card parse(String text) {
    Card card = BY_TEXT.get(text);
    if (card == null) {
      throw new IllegalArgumentException(
          "\"%s\" is no card: a rank (2..9 T J Q K A, or S C R in the Spanish pack) and a suit"
                  .formatted(text)
              + " (C D H S), or X1 X2, W1..W4, F1..F4");
    }
    return card;
  }

  /** Cards separated by spaces. */
  public static List<Card> parseAll(String text) {
    return Arrays.stream(text.split("\\s+")).filter(w -> !w.isEmpty()).map(Card::parse).toList();
  }

  /** The numbers on the wire of cards separated by spaces, for a bot's tests. */
  public static List<Integer> codes(String text) {
    return parseAll(text).stream().map(Card::code).toList();
  }

  static String textOf(List<Card> cards) {
    return cards.stream().map(Card::toString).collect(Collectors.joining(" "));
  }

  /** Its number on the wire. */
  public int code() {
    return code;
  }

  /** {@link Suit#JOKERS} for jokers, {@link Suit#NONE} for wizards and jesters. */
  public Suit suit() {
    return suit;
  }

  /**
   * 2..14 (ace), 11..13 for Spanish court cards, 0 for special cards. What beats what depends on
   * the rank order of the table: see {@link Rules#strength}.
   */
  public int rank() {
    return rank;
  }

  /** Whether it is a knave, knight or king of the Spanish pack. */
  boolean isSpanishCourt() {
    return rank > 0 && SPANISH_COURT.indexOf(text.charAt(0)) >= 0;
  }

  /** Whether it is one of the two jokers. */
  public boolean isJoker() {
    return suit == Suit.JOKERS;
  }

  /** Whether it is one of the four wizards. */
  public boolean isWizard() {
    return rank == 0 && text.startsWith("W");
  }

  /** Whether it is one of the four jesters. */
  public boolean isJester() {
    return rank == 0 && text.startsWith("F");
  }

  /** By code. */
  @Override
  public int compareTo(Card other) {
    return Integer.compare(code, other.code);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Card card && card.code == code;
  }

  @Override
  public int hashCode() {
    return code;
  }

  /** Two characters, as in TH, X1, RS; -- for no card. */
  @Override
  public String toString() {
    return text;
  }
}
