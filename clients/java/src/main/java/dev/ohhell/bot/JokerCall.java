package dev.ohhell.bot;

/** What a joker is called. */
public enum JokerCall {
  NONE,
  HIGH,
  LOW;

  private static final JokerCall[] ALL = values();

  /** That of the wire; the first one for numbers of later revisions. */
  static JokerCall of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : ALL[0];
  }
}
