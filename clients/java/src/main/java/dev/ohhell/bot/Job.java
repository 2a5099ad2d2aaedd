package dev.ohhell.bot;

/** Something for a seat to work at: a prompt, or the end of its match. */
sealed interface Job {
  Seat seat();

  Stream stream();

  /** A question to be answered. */
  record Prompt(Seat seat, dev.ohhell.v1.View message, Stream stream) implements Job {}

  /** The match is over. */
  record End(Seat seat, Result result, Stream stream) implements Job {}
}
