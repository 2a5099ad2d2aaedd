package dev.ohhell.bot;

import dev.ohhell.v1.SeatAssigned;
import dev.ohhell.v1.TimeControl;
import java.util.List;

/** One seat of one match, as its message tells it. */
public final class Match {
  private final SeatAssigned message;
  private final Rules rules;

  /** A bot's tests make a match this way. */
  public Match(SeatAssigned message, Rules rules) {
    this.message = message;
    this.rules = rules;
  }

  public String table() {
    return message.getTable();
  }

  public int seat() {
    return message.getSeat();
  }

  public Rules rules() {
    return rules;
  }

  /** Number of seats. */
  public int seats() {
    return rules.players();
  }

  /** Names by seat. */
  public List<String> players() {
    return message.getPlayersList();
  }

  public int firstDealer() {
    return message.getFirstDealer();
  }

  /** What a bot's chance may depend on: 16 bytes. */
  public byte[] botSeed() {
    return message.getBotSeed().toByteArray();
  }

  /** In milliseconds; all zero where there is no clock. */
  public TimeControl clock() {
    return message.getClock();
  }

  /** Whether a bid may be replaced while others bid. */
  public boolean amendments() {
    return message.getAmendments();
  }
}
