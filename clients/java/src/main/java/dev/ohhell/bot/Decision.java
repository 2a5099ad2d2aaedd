package dev.ohhell.bot;

import dev.ohhell.v1.Answer;
import dev.ohhell.v1.BidCards;
import dev.ohhell.v1.ClientFrame;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Asks the bot and makes its answer a frame. Legality is for the table. */
final class Decision {
  private static final int NOTE_BYTES = 256;

  private Decision() {}

  /** What the bot says; BadAnswer, or whatever the bot's own code may throw. */
  static ClientFrame ask(Bot bot, View view) {
    Answer.Builder answer = begin(view.message());
    switch (view.ask()) {
      case BID -> answer.setBid(bidOf(bot, view));
      case PLAY -> play(bot, view, answer);
      case TRUMP -> answer.setTrumpValue(given("chooseTrump", bot.chooseTrump(view)).ordinal());
      case BID_CARDS -> answer.setBidCards(cardsOf(given("lay", bot.lay(view))));
      default ->
          throw new BadAnswer(
              "a question of a kind that this library does not know: "
                  + view.message().getAskValue());
    }
    return ClientFrame.newBuilder().setAnswer(answer).build();
  }

  private static int bidOf(Bot bot, View view) {
    int bid = bot.bid(view);
    if (bid < 0) {
      throw new BadAnswer("bid returned %d, which is no number of tricks".formatted(bid));
    }
    return bid;
  }

  private static void play(Bot bot, View view, Answer.Builder answer) {
    Card card = view.legalCards().isEmpty() ? Card.NONE : given("play", bot.play(view));
    answer.setCardValue(card.code());
    if (card.isJoker() && view.call() == CallRule.REQUIRED) {
      answer.setCallValue(given("callJoker", bot.callJoker(view, card)).ordinal());
    }
  }

  private static BidCards cardsOf(Laid laid) {
    List<Integer> codes = laid.cards().stream().map(Card::code).toList();
    return BidCards.newBuilder()
        .addAllCardsValue(codes)
        .setClaimValue(laid.claim().ordinal())
        .build();
  }

  private static <T> T given(String method, T answer) {
    if (answer == null) {
      throw new BadAnswer(method + " returned null");
    }
    return answer;
  }

  /** Without an action: the table sees at once that the bot has none. */
  static ClientFrame noAnswer(dev.ohhell.v1.View prompt, String why) {
    return ClientFrame.newBuilder().setAnswer(begin(prompt).setNote(cut(why))).build();
  }

  private static Answer.Builder begin(dev.ohhell.v1.View prompt) {
    return Answer.newBuilder()
        .setHandle(prompt.getHandle())
        .setSeq(prompt.getSeq())
        .setAttempt(prompt.getAttempt());
  }

  /** What the wire allows, whole characters only. */
  static String cut(String note) {
    ByteBuffer bytes = ByteBuffer.allocate(NOTE_BYTES);
    StandardCharsets.UTF_8
        .newEncoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .encode(CharBuffer.wrap(note), bytes, true);
    return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
  }

  /** An answer that cannot be sent; its message says it all. */
  static final class BadAnswer extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadAnswer(String message) {
      super(message);
    }
  }
}
