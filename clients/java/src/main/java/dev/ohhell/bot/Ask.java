package dev.ohhell.bot;

import java.util.Locale;

/** What a prompt asks for. */
public enum Ask {
  NOTHING,
  BID,
  PLAY,
  TRUMP,
  BID_CARDS;

  private static final Ask[] ALL = values();

  /** That of the wire; the first one for numbers of later revisions. */
  static Ask of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : ALL[0];
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
