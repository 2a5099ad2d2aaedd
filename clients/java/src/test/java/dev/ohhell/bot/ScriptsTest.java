package dev.ohhell.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.ohhell.v1.ConnectResponse;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScriptsTest {
  /** Waits for the next stream, which is to have this authorization (null: none). */
  private interface Next {
    Caller stream(String authorization) throws Exception;
  }

  static List<Script> all() {
    return Script.all();
  }

  static List<Script> dialled() {
    return Script.all().stream().filter(Script::isDialled).toList();
  }

  @ParameterizedTest
  @MethodSource("all")
  void aBotThatCallsFollowsTheScript(Script script) throws Exception {
    try (Arena arena = new Arena()) {
      Settings settings = script.settings();
      settings.address = arena.address();
      try (Running run = new Running(new Connection(script.bots(), settings)::keep)) {
        follow(
            script,
            run,
            authorization -> {
              Arena.Taken stream = arena.next();
              assertEquals(authorization, stream.authorization());
              return stream;
            });
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dialled")
  void aBotThatIsCalledFollowsTheScript(Script script) throws Exception {
    Settings settings = script.settings();
    settings.serve = "127.0.0.1:0";
    CompletableFuture<String> ready = new CompletableFuture<>();
    BotServer server = new BotServer(script.bots(), settings);
    try (Running run = new Running(stop -> server.keep(stop, ready::complete))) {
      String address = ready.get(Caller.PATIENCE_S, TimeUnit.SECONDS);
      ManagedChannel channel =
          Grpc.newChannelBuilder(address, InsecureChannelCredentials.create()).build();
      try {
        follow(script, run, authorization -> Dialling.dial(channel, settings.lane()));
      } finally {
        channel.shutdownNow();
      }
    }
  }

  private static void follow(Script script, Running run, Next next) throws Exception {
    Caller stream = null;
    for (JsonElement each : script.steps()) {
      for (Map.Entry<String, JsonElement> step : each.getAsJsonObject().entrySet()) {
        JsonElement value = step.getValue();
        switch (step.getKey()) {
          case "stream" -> stream = next.stream(authorization(value.getAsJsonObject()));
          case "bot" -> stream.expect(Script.clientFrames(value));
          case "service" -> stream.say(Script.serverFrames(value));
          case "raw" ->
              stream.say(
                  ConnectResponse.parseFrom(Base64.getDecoder().decode(value.getAsString())));
          case "close" -> stream.end(Status.Code.valueOf(value.getAsString()));
          case "stop" -> run.stop();
          case "ends" -> conclude(stream, run, value.getAsString());
          default -> assertEquals("about", step.getKey());
        }
      }
    }
  }

  private static String authorization(JsonObject metadata) {
    JsonElement token = metadata.get("authorization");
    return token == null ? null : token.getAsString();
  }

  private static void conclude(Caller stream, Running run, String wanted) throws Exception {
    if (wanted.equals("stopped")) {
      stream.hangUp();
      stream.expectNoMore();
    }
    String ending = run.ending();
    assertTrue(
        ending.startsWith(wanted.equals("stopped") ? wanted : wanted.toUpperCase(Locale.ROOT)),
        ending);
  }
}
