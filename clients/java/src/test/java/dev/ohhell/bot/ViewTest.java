package dev.ohhell.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ohhell.v1.SeatAssigned;
import dev.ohhell.v1.Trump;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ViewTest {
  private static View view(String hand, String plays) {
    dev.ohhell.v1.Rules rules = dev.ohhell.v1.Rules.newBuilder().setPlayers(4).build();
    dev.ohhell.v1.View message =
        dev.ohhell.v1.View.newBuilder()
            .setTrump(Trump.TRUMP_HEARTS)
            .addAllHandValue(Card.codes(hand))
            .addAllPlaysValue(Card.codes(plays))
            .addLeaders(1)
            .build();
    return new View(message, new Match(SeatAssigned.getDefaultInstance(), new Rules(rules)));
  }

  @ParameterizedTest
  @CsvSource({"W1, W2", "F1, F2", "2H, KS", "9S, 2D", "9S, 8S"})
  void theFirstOfEqualsAndTheStrongerCardWin(String winning, String losing) {
    assertFalse(view(losing, winning).wins(Card.parse(losing)));
    String both = winning + " " + losing;
    assertEquals(new Played(1, Card.parse(winning)), view("", both).winnerSoFar().orElseThrow());
  }

  @ParameterizedTest
  @CsvSource({"9S, TS", "F1, 2C", "AS, 2H", "AH, W1"})
  void aStrongerCardWinsTheTrick(String lying, String stronger) {
    assertTrue(view(stronger, lying).wins(Card.parse(stronger)));
  }

  @Test
  void everyCardIsReadAsItIsWritten() {
    for (int code = 1; code <= 74; code++) {
      assertEquals(Card.of(code), Card.parse(Card.of(code).toString()));
    }
    assertEquals("card 75", Card.of(75).toString());
    assertThrows(IllegalArgumentException.class, () -> Card.parse("1S"));
  }

  @Test
  void numbersOfLaterRevisionsAreNoSurprise() {
    assertEquals(Suit.NONE, Suit.of(99));
    assertEquals(Ask.NOTHING, Ask.of(-1));
  }

  @Test
  void cardsAreSortedByTheirRanks() {
    View view = view("", "");
    List<Card> cards = Card.parseAll("W1 AS 2H X1 2C F1");
    assertEquals(Card.parseAll("F1 2C 2H AS X1 W1"), view.lowestFirst(cards));
  }
}
