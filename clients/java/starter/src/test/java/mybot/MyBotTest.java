package mybot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ohhell.bot.Card;
import dev.ohhell.bot.Match;
import dev.ohhell.bot.Rules;
import dev.ohhell.bot.View;
import dev.ohhell.v1.BidState;
import dev.ohhell.v1.SeatAssigned;
import dev.ohhell.v1.Trump;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class MyBotTest {
  private static final Match MATCH =
      new Match(
          SeatAssigned.getDefaultInstance(),
          new Rules(dev.ohhell.v1.Rules.newBuilder().setPlayers(3).build()));

  /** Seat 0 of three, with hearts as trump. */
  private static dev.ohhell.v1.View.Builder position(String hand) {
    return dev.ohhell.v1.View.newBuilder()
        .setTrump(Trump.TRUMP_HEARTS)
        .addAllHandValue(Card.codes(hand))
        .addAllTricks(List.of(0, 0, 0));
  }

  private static int bid(Integer... legal) {
    dev.ohhell.v1.View message = position("AS KD 9H 2H 3C").addAllLegalBids(List.of(legal)).build();
    return new MyBot().bid(new View(message, MATCH));
  }

  @Test
  void itBidsWhatIsLikelyOrTheNearestThatIsLegal() {
    assertEquals(3, bid(0, 1, 2, 3, 4, 5));
    assertEquals(2, bid(0, 1, 2, 5));
  }

  /** Where seat 2 has led the nine of spades. */
  private static String cardWithABidOf(int bid) {
    String hand = "2S TS QS AS";
    dev.ohhell.v1.View message =
        position(hand)
            .addAllLegalCardsValue(Card.codes(hand))
            .addAllPlaysValue(Card.codes("9S"))
            .addLeaders(2)
            .addAllBids(List.of(bid, 0, 0))
            .addAllBidStates(Collections.nCopies(3, BidState.BID_STATE_OPEN))
            .build();
    return new MyBot().play(new View(message, MATCH)).toString();
  }

  @Test
  void itTakesATrickCheaplyWhileItNeedsOneAndThenDucks() {
    assertEquals("TS", cardWithABidOf(1));
    assertEquals("2S", cardWithABidOf(0));
  }
}
