package dev.ohhell.bot;

/** What a joker played now needs: only {@link #REQUIRED} takes a call. */
public enum CallRule {
  UNKNOWN,
  NONE,
  REQUIRED,
  FIXED_HIGH,
  FIXED_LOW;

  private static final CallRule[] ALL = values();

  /** That of the wire; the first one for numbers of later revisions. */
  static CallRule of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : ALL[0];
  }
}
