package dev.ohhell.bot;

/** What a seat promises with its bid cards. */
public enum Claim {
  NONE,
  DECLARE,
  REVEAL;

  private static final Claim[] ALL = values();

  /** That of the wire; the first one for numbers of later revisions. */
  static Claim of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : ALL[0];
  }
}
