package dev.ohhell.bot;

import java.util.Locale;

/** A suit of cards, or what a trump may be: the numbers are the same. */
public enum Suit {
  /** No suit; as a trump, one that is not known. */
  NONE,
  CLUBS,
  DIAMONDS,
  HEARTS,
  SPADES,
  JOKERS,
  /** The deal is played without trump. */
  NO_TRUMP;

  private static final Suit[] ALL = values();

  /** That of the wire; the first one for numbers of later revisions. */
  static Suit of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : ALL[0];
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
