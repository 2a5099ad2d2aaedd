package dev.ohhell.bot;

/** Where a match stands. */
public enum Phase {
  NOT_BEGUN,
  TRUMP_CHOICE,
  BIDDING,
  PLAYING,
  OVER;

  private static final Phase[] ALL = values();

  /** That of the wire; the first one for numbers of later revisions. */
  static Phase of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : ALL[0];
  }
}
