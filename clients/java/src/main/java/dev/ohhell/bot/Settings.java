package dev.ohhell.bot;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.stream.Collectors;

/** How a bot process is told where to go: flags, over OHHELL_BOT_*, over defaults. */
public final class Settings {
  private static final int INSTANCE_BYTES = 8;

  String address = "127.0.0.1:50051";
  String token = "";
  boolean tls;
  String caFile = "";
  String instance = randomName();
  int lane;
  int workers = 1;
  int threads;
  Duration patience = Duration.ofSeconds(600);
  Level log = Level.INFO;
  OnError onError = OnError.CONCEDE;
  String serve = "";
  String certificate = "";
  String key = "";
  boolean expose;

  Settings() {}

  private static String randomName() {
    byte[] random = new byte[INSTANCE_BYTES];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  /** Failure for anything unknown, malformed or contradictory. */
  public static Settings read(List<String> arguments, Map<String, String> environment)
      throws Failure {
    return new Settings().with(arguments, environment);
  }

  Settings with(List<String> arguments, Map<String, String> environment) throws Failure {
    List<Given> variables = inEnvironment(environment);
    for (List<Given> source : List.of(variables, inArguments(arguments))) {
      checkOneToken(source);
      for (Given given : source) {
        given.putInto(this);
      }
    }
    checkEncryption();
    return this;
  }

  private void checkEncryption() throws Failure {
    boolean encrypted = !certificate.isEmpty();
    if (encrypted == key.isEmpty()) {
      throw wrong("--certificate and --key: give both, or neither");
    }
    if (!serve.isEmpty() && !encrypted && !expose && !HostPort.of(serve).isLoopback()) {
      throw wrong(
          "--serve %s: other machines could call the bot, and nothing is encrypted; give"
              + " --certificate and --key, or add --expose on",
          serve);
    }
  }

  /** The text of one setting, and what it is called where it was given. */
  private record Given(Setting setting, String called, String text) {
    void putInto(Settings settings) throws Failure {
      try {
        setting.put(settings, text);
      } catch (IllegalArgumentException error) {
        throw wrong("%s: %s", called, error.getMessage());
      }
    }
  }

  private static List<Given> inEnvironment(Map<String, String> environment) throws Failure {
    List<Given> found = new ArrayList<>();
    for (Map.Entry<String, String> entry : new TreeMap<>(environment).entrySet()) {
      String variable = entry.getKey();
      if (variable.startsWith(Setting.PREFIX)) {
        Setting setting = Setting.ofVariable(variable);
        if (setting == null) {
          throw wrong(
              "%s is not a setting of a bot; did you mean %s?",
              variable, Setting.nearest(variable).variable());
        }
        found.add(new Given(setting, variable, entry.getValue()));
      }
    }
    return found;
  }

  private static List<Given> inArguments(List<String> arguments) throws Failure {
    List<Given> found = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      String[] parts = arguments.get(i).split("=", 2);
      Setting setting = Setting.ofFlag(parts[0]);
      if (setting == null) {
        throw wrong("unknown argument \"%s\"%s", parts[0], Setting.usage());
      }
      if (parts.length == 1 && i + 1 == arguments.size()) {
        throw wrong("%s: a value is missing", parts[0]);
      }
      String text = parts.length == 2 ? parts[1] : arguments.get(++i);
      found.add(new Given(setting, parts[0], text));
    }
    return found;
  }

  private static void checkOneToken(List<Given> source) throws Failure {
    List<String> tokens =
        source.stream().filter(g -> g.setting().isToken()).map(Given::called).toList();
    if (tokens.size() > 1) {
      throw wrong(
          "give the token once, not as %s", tokens.stream().collect(Collectors.joining(" and ")));
    }
  }

  private static Failure wrong(String message, Object... values) {
    return new Failure(Failure.Kind.SETTINGS, message.formatted(values));
  }

  /** Where the service listens, HOST:PORT. */
  public String address() {
    return address;
  }

  String token() {
    return token;
  }

  public boolean tls() {
    return tls;
  }

  /** PEM; empty: what the Java platform trusts. */
  public String caFile() {
    return caFile;
  }

  /** Tells this process from others of the bot. */
  public String instance() {
    return instance;
  }

  public int lane() {
    return lane;
  }

  /** Prompts open at once. */
  public int workers() {
    return workers;
  }

  /** Threads to think in; 0 and 1 are the same. */
  public int threads() {
    return threads;
  }

  /** How long it is tried to reach the service. */
  public Duration patience() {
    return patience;
  }

  public Level log() {
    return log;
  }

  public OnError onError() {
    return onError;
  }

  /** Where to wait for calls instead of making one; empty: nowhere. */
  public String serve() {
    return serve;
  }

  /** A chain, PEM, shown to the service, or to whoever calls; empty: none. */
  public String certificate() {
    return certificate;
  }

  /** The key of that certificate, PEM (PKCS #8). */
  public String key() {
    return key;
  }

  /** Whether other machines may call. */
  public boolean expose() {
    return expose;
  }
}
