package dev.ohhell.bot;

/** The kind of one deal. */
public enum DealKind {
  NONE,
  NORMAL,
  NO_TRUMP,
  MISERE_TRUMP,
  MISERE_NO_TRUMP,
  GUESS_TRUMP,
  BLIND,
  BLIND_IN_ORDER;

  private static final DealKind[] ALL = values();

  /** That of the wire; the first one for numbers of later revisions. */
  static DealKind of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : ALL[0];
  }
}
