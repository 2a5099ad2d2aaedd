package dev.ohhell.lowest;

import dev.ohhell.bot.Bot;
import dev.ohhell.bot.Card;
import dev.ohhell.bot.View;
import java.util.Collections;

/** Plays without chance or judgement: the lowest legal bid, the lowest legal card. */
public final class Lowest implements Bot {
  @Override
  public int bid(View view) {
    return Collections.min(view.legalBids());
  }

  @Override
  public Card play(View view) {
    return view.lowestFirst(view.legalCards()).get(0);
  }

  public static void main(String... arguments) {
    Bot.run(Lowest::new, arguments);
  }
}
