package dev.ohhell.bot;

/** What follows when a bot's own code fails. */
public enum OnError {
  /** The table learns at once that there is no answer; the other tables go on. */
  CONCEDE,
  /** The process ends with exit status 1. */
  STOP
}
