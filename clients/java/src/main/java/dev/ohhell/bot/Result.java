package dev.ohhell.bot;

import dev.ohhell.v1.SeatEnded;
import java.util.List;

/** How a match ended for a seat: final totals by seat, and the seats that won. */
public record Result(Match match, EndReason reason, List<Integer> scores, List<Integer> winners) {
  static Result of(Match match, SeatEnded ended) {
    EndReason reason = EndReason.of(ended.getReasonValue());
    return new Result(match, reason, ended.getScoresList(), ended.getWinnersList());
  }
}
