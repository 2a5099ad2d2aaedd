package dev.ohhell.bot;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import dev.ohhell.lowest.Lowest;
import dev.ohhell.v1.ClientFrame;
import dev.ohhell.v1.ServerFrame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** A file of tests/conformance/frames; README.md there is the format. */
record Script(String name, JsonObject content) {
  static final Path FOLDER = Path.of("../../tests/conformance/frames");

  static List<Script> all() {
    try (var paths = Files.list(FOLDER)) {
      List<Script> scripts =
          paths
              .map(path -> path.getFileName().toString())
              .filter(name -> name.endsWith(".json"))
              .sorted()
              .map(name -> called(name.substring(0, name.length() - ".json".length())))
              .toList();
      assertFalse(scripts.isEmpty());
      return scripts;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  static Script called(String name) {
    try {
      String text = Files.readString(FOLDER.resolve(name + ".json"));
      return new Script(name, new Gson().fromJson(text, JsonObject.class));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  boolean isDialled() {
    return content.has("dialled") && content.get("dialled").getAsBoolean();
  }

  JsonArray steps() {
    return content.getAsJsonArray("steps");
  }

  Supplier<Bot> bots() {
    return content.get("bot").getAsString().equals("fails") ? Fails::new : Lowest::new;
  }

  Settings settings() {
    JsonObject given =
        content.has("settings") ? content.getAsJsonObject("settings") : new JsonObject();
    Settings settings = new Settings();
    given
        .entrySet()
        .forEach(
            entry ->
                Setting.valueOf(entry.getKey().toUpperCase(Locale.ROOT))
                    .put(settings, entry.getValue().getAsString()));
    return settings;
  }

  static List<ServerFrame> serverFrames(JsonElement frames) {
    return framesOf(frames, ServerFrame::newBuilder).stream().map(ServerFrame.class::cast).toList();
  }

  static List<ClientFrame> clientFrames(JsonElement frames) {
    return framesOf(frames, ClientFrame::newBuilder).stream().map(ClientFrame.class::cast).toList();
  }

  private static List<Message> framesOf(
      JsonElement frames, Supplier<? extends Message.Builder> newBuilder) {
    List<Message> read = new ArrayList<>();
    for (JsonElement frame : (JsonArray) frames) {
      Message.Builder builder = newBuilder.get();
      try {
        JsonFormat.parser().merge(frame.toString(), builder);
      } catch (InvalidProtocolBufferException error) {
        throw new UncheckedIOException(error);
      }
      read.add(builder.build());
    }
    return read;
  }

  @Override
  public String toString() {
    return name;
  }

  /** Fails whenever it is asked for a bid. */
  static class Fails implements Bot {
    private final Bot lowest = new Lowest();

    @Override
    public int bid(View view) {
      throw new IllegalStateException("the script says so");
    }

    @Override
    public Card play(View view) {
      return lowest.play(view);
    }
  }
}
