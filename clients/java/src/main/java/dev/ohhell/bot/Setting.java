package dev.ohhell.bot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.stream.Collectors;

/** One thing that may be set: flag --some-thing, variable OHHELL_BOT_SOME_THING. */
enum Setting {
  ADDRESS("where the service listens, HOST:PORT", (to, text) -> to.address = address(text, 1)),
  /** Has no flag, which every user of the machine could read. */
  TOKEN("", (to, text) -> to.token = word(text)),
  TOKEN_FILE("file that holds the bot's token", (to, text) -> to.token = content(text)),
  TOKEN_FD(
      "descriptor from which to read the token once",
      (to, text) -> to.token = content("/dev/fd/" + between(text, 0, 65_535))),
  TLS("on: encrypt, and check the service's certificate", (to, text) -> to.tls = isOn(text)),
  CA_FILE(
      "certificates to trust, PEM; turns TLS on",
      (to, text) -> {
        to.caFile = file(text);
        to.tls = true;
      }),
  INSTANCE("name of this process among those of the bot", (to, text) -> to.instance = word(text)),
  LANE("lane this process plays", (to, text) -> to.lane = between(text, 0, 255)),
  WORKERS("prompts to have open at once", (to, text) -> to.workers = between(text, 1, 4096)),
  THREADS(
      "threads to think in; 0 and 1 are the same",
      (to, text) -> to.threads = between(text, 0, 256)),
  PATIENCE_S(
      "seconds to try to reach the service",
      (to, text) -> to.patience = Duration.ofSeconds(between(text, 1, 86_400))),
  LOG("how much to log: error, warning, info, debug", (to, text) -> to.log = level(text)),
  ON_ERROR(
      "when the bot's own code fails: concede, stop",
      (to, text) ->
          to.onError = OnError.valueOf(oneOf(text, "concede", "stop").toUpperCase(Locale.ROOT))),
  SERVE("wait at HOST:PORT for the service to call", (to, text) -> to.serve = address(text, 0)),
  CERTIFICATE(
      "chain to show to the other end, PEM; encrypts",
      (to, text) -> {
        to.certificate = file(text);
        to.tls = true;
      }),
  KEY("the key of that certificate, PEM", (to, text) -> to.key = file(text)),
  EXPOSE("on: other machines may call, unencrypted", (to, text) -> to.expose = isOn(text));

  static final String PREFIX = "OHHELL_BOT_";

  private final String help;
  private final BiConsumer<Settings, String> put;

  Setting(String help, BiConsumer<Settings, String> put) {
    this.help = help;
    this.put = put;
  }

  /** IllegalArgumentException says what is wrong with the text. */
  void put(Settings to, String text) {
    put.accept(to, text);
  }

  boolean isToken() {
    return name().startsWith("TOKEN");
  }

  String variable() {
    return PREFIX + name();
  }

  String flag() {
    return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Null where there is none. */
  static Setting ofVariable(String variable) {
    return Arrays.stream(values())
        .filter(setting -> setting.variable().equals(variable))
        .findFirst()
        .orElse(null);
  }

  /** Null where there is none. */
  static Setting ofFlag(String flag) {
    return Arrays.stream(values())
        .filter(setting -> !setting.help.isEmpty() && setting.flag().equals(flag))
        .findFirst()
        .orElse(null);
  }

  static String usage() {
    return Arrays.stream(values())
        .filter(setting -> !setting.help.isEmpty())
        .map(setting -> "%n  %-14s %s".formatted(setting.flag(), setting.help))
        .collect(Collectors.joining());
  }

  /** The one with the fewest letters to change. */
  static Setting nearest(String variable) {
    return Arrays.stream(values())
        .min(Comparator.comparingInt(setting -> distance(variable, setting.variable())))
        .orElseThrow();
  }

  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    Arrays.setAll(row, j -> j);
    for (int i = 0; i < a.length(); i++) {
      int diagonal = row[0];
      row[0] = i + 1;
      for (int j = 0; j < b.length(); j++) {
        int changed = diagonal + (a.charAt(i) == b.charAt(j) ? 0 : 1);
        diagonal = row[j + 1];
        row[j + 1] = Math.min(changed, Math.min(row[j], diagonal) + 1);
      }
    }
    return row[b.length()];
  }

  private static String word(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("it is empty");
    }
    return text.strip();
  }

  private static String address(String text, int leastPort) {
    if (HostPort.of(text.strip()).port() < leastPort) {
      throw new IllegalArgumentException("\"%s\" is not HOST:PORT".formatted(text));
    }
    return text.strip();
  }

  private static int between(String text, int low, int high) {
    if (!text.matches("\\d{1,9}")
        || Integer.parseInt(text) < low
        || Integer.parseInt(text) > high) {
      throw new IllegalArgumentException(
          "\"%s\" is not a whole number %d..%d".formatted(text, low, high));
    }
    return Integer.parseInt(text);
  }

  private static String oneOf(String text, String... words) {
    String word = text.toLowerCase(Locale.ROOT);
    if (!List.of(words).contains(word)) {
      throw new IllegalArgumentException(
          "\"%s\" is none of %s".formatted(text, String.join(", ", words)));
    }
    return word;
  }

  private static Level level(String text) {
    return switch (oneOf(text, "error", "warning", "info", "debug")) {
      case "error" -> Level.SEVERE;
      case "warning" -> Level.WARNING;
      case "info" -> Level.INFO;
      default -> Level.FINE;
    };
  }

  private static boolean isOn(String text) {
    return oneOf(text, "on", "off").equals("on");
  }

  private static String file(String text) {
    if (!Files.isRegularFile(Path.of(text))) {
      throw new IllegalArgumentException("there is no file " + text);
    }
    return text;
  }

  private static String content(String path) {
    try {
      return word(Files.readString(Path.of(path)));
    } catch (IOException error) {
      throw new IllegalArgumentException("cannot read " + path, error);
    }
  }
}
