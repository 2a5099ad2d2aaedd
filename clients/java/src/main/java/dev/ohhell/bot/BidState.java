package dev.ohhell.bot;

/** What is known of one seat's bid. */
public enum BidState {
  UNKNOWN,
  NOT_YET,
  HIDDEN,
  OPEN,
  /** The seat scores one for each trick. */
  NO_PART,
  /** Counts as a bid of zero. */
  MISERE;

  private static final BidState[] ALL = values();

  /** That of the wire; the first one for numbers of later revisions. */
  static BidState of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : ALL[0];
  }
}
