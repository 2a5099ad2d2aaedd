package dev.ohhell.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.ohhell.lowest.Lowest;
import dev.ohhell.v1.ServerFrame;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class DerivedTest {
  private static final Gson GSON = new GsonBuilder().serializeNulls().create();

  @Test
  void viewsSayWhatTheySayInEveryLanguage() throws Exception {
    Map<String, Deque<View>> prompts = new HashMap<>();
    for (String line : Files.readAllLines(Script.FOLDER.resolve("derived.jsonl"))) {
      JsonObject kept = GSON.fromJson(line, JsonObject.class);
      String script = kept.get("script").getAsString();
      View view = prompts.computeIfAbsent(script, DerivedTest::viewsOf).remove();
      assertEquals(GSON.toJson(kept), GSON.toJson(derived(script, view)), view::toString);
    }
    assertFalse(prompts.isEmpty());
    prompts.forEach((script, rest) -> assertEquals(0, rest.size(), script));
  }

  private static Deque<View> viewsOf(String script) {
    Seats seats = new Seats(Lowest::new);
    Map<Integer, Seat> handles = new HashMap<>();
    Deque<View> views = new ArrayDeque<>();
    for (JsonElement step : Script.called(script).steps()) {
      JsonElement said = step.getAsJsonObject().get("service");
      List<ServerFrame> frames = said == null ? List.of() : Script.serverFrames(said);
      for (ServerFrame frame : frames) {
        if (frame.hasSeat()) {
          handles.put(frame.getSeat().getHandle(), seats.assign(frame.getSeat()));
        } else if (frame.hasPrompt()) {
          Seat seat = handles.get(frame.getPrompt().getHandle());
          views.add(new View(frame.getPrompt(), seat.match()));
        }
      }
    }
    return views;
  }

  /** As a line of derived.jsonl. */
  private static JsonObject derived(String script, View view) {
    JsonObject says = new JsonObject();
    says.addProperty("script", script);
    says.addProperty("seq", view.seq());
    says.addProperty("handle", view.handle());
    says.add("trick", list(view.trick(), DerivedTest::played));
    says.addProperty("led_suit", view.ledSuit().ordinal());
    says.addProperty("position", view.position());
    says.addProperty("plays_last", view.playsLast());
    says.add(
        "winner_so_far", view.winnerSoFar().map(DerivedTest::played).orElse(JsonNull.INSTANCE));
    says.addProperty("my_bid", view.myBid() == View.ABSENT ? null : view.myBid());
    says.addProperty("my_tricks", view.myTricks());
    says.addProperty("needed", view.needed());
    says.addProperty("tricks_left", view.tricksLeft());
    says.add("unseen", list(view.unseen(), card -> tree(card.code())));
    says.add("strength", list(view.hand(), card -> tree(view.match().rules().strength(card))));
    says.add(
        "wins",
        list(
            view.hand(),
            card ->
                list(
                    List.of(JokerCall.NONE, JokerCall.HIGH, JokerCall.LOW),
                    call -> tree(view.wins(card, call)))));
    says.add("words", list(List.of(view.rng().word(), view.rng().word()), DerivedTest::tree));
    return says;
  }

  private static JsonElement played(Played played) {
    return tree(List.of(played.seat(), played.card().code()));
  }

  private static JsonElement tree(Object value) {
    return GSON.toJsonTree(value);
  }

  private static <T> JsonElement list(List<T> items, Function<T, JsonElement> element) {
    JsonArray array = new JsonArray();
    new ArrayList<>(items).forEach(item -> array.add(element.apply(item)));
    return array;
  }
}
