package dev.ohhell.bot;

/** Why cards that are normally hidden are open. */
public enum ShownWhy {
  NOT_SHOWN,
  FOREHEAD,
  BIDS_IN,
  DECLARE,
  REVEAL,
  DEALER_LAST_CARD;

  private static final ShownWhy[] ALL = values();

  /** That of the wire; the first one for numbers of later revisions. */
  static ShownWhy of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : ALL[0];
  }
}
