package dev.ohhell.bot;

/** Why a match ended for a seat. */
public enum EndReason {
  UNKNOWN,
  PLAYED,
  CANCELLED,
  VOIDED,
  LEFT;

  private static final EndReason[] ALL = values();

  /** That of the wire; the first one for numbers of later revisions. */
  static EndReason of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : ALL[0];
  }
}
