package dev.ohhell.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DrawsTest {
  private static Draws draws() {
    byte[] seed = new byte[16];
    for (int i = 0; i < seed.length; i++) {
      seed[i] = (byte) i;
    }
    return new Draws(seed, 7);
  }

  @Test
  void drawsAreThoseOfEveryLanguage() {
    Draws words = draws();
    // The ninth word is of the second block.
    assertEquals(
        List.of(
            2181344209L,
            4293064234L,
            2120141822L,
            3655235384L,
            3415355339L,
            1921381793L,
            2666518093L,
            686753985L,
            2169966577L),
        LongStream.generate(words::word).limit(9).boxed().toList());
    Draws dice = draws();
    assertEquals(
        List.of(1, 4, 2, 2, 5, 5, 1, 3, 1, 2),
        IntStream.generate(() -> dice.below(6)).limit(10).boxed().toList());
    assertEquals(0.5078837797012694, draws().nextDouble());
    List<Integer> items = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7));
    draws().shuffle(items);
    assertEquals(List.of(0, 7, 5, 3, 6, 2, 4, 1), items);
  }

  @Test
  void nothingIsDrawnBelowNothing() {
    assertThrows(IllegalArgumentException.class, () -> draws().below(0));
  }

  @Test
  void aSeatWithoutASeedHasItsChanceToo() {
    assertEquals(new Draws(new byte[16], 1).word(), new Draws(new byte[0], 1).word());
  }
}
