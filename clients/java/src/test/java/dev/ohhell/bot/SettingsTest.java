package dev.ohhell.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private static Settings read(String... arguments) throws Failure {
    return Settings.read(List.of(arguments), Map.of());
  }

  private static void assertSays(String wanted, Failure failure) {
    assertEquals(Failure.Kind.SETTINGS, failure.kind());
    assertTrue(failure.getMessage().contains(wanted), failure.getMessage());
  }

  @Test
  void flagsWinOverVariablesWhichWinOverDefaults() throws Failure {
    Settings settings =
        Settings.read(
            List.of("--lane", "2", "--workers=5"),
            Map.of(
                "OHHELL_BOT_LANE", "1",
                "OHHELL_BOT_PATIENCE_S", "7",
                "OHHELL_BOT_TOKEN", " a ",
                "HOME", "/"));
    assertEquals(2, settings.lane());
    assertEquals(5, settings.workers());
    assertEquals(Duration.ofSeconds(7), settings.patience());
    assertEquals("a", settings.token());
    assertEquals("127.0.0.1:50051", settings.address());
    assertFalse(settings.instance().isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          OHHELL_BOT_LANES   | 1   | is not a setting of a bot; did you mean OHHELL_BOT_LANE?
          OHHELL_BOT_WORKERS | 0   | OHHELL_BOT_WORKERS: "0" is not a whole number 1..4096
          --workers          | x   | --workers: "x" is not a whole number 1..4096
          --address          | it  | --address: "it" is not HOST:PORT
          --address          | a:0 | --address: "a:0" is not HOST:PORT
          --on-error         | cry | --on-error: "cry" is none of concede, stop
          --token            | x   | unknown argument "--token"
          stray              | x   | unknown argument "stray"
          --token-file       | no  | --token-file: cannot read no
          --token-fd         | 987 | --token-fd: cannot read /dev/fd/987
          --ca-file          | no  | --ca-file: there is no file no
          --serve            | 0.0.0.0:1 | give --certificate and --key, or add --expose on
          --key              | pom.xml | --certificate and --key: give both, or neither
          OHHELL_BOT_KEY     | no  | OHHELL_BOT_KEY: there is no file no
          """)
  void whatIsWrongIsNamed(String name, String value, String says) {
    boolean isVariable = name.startsWith("OHHELL");
    List<String> arguments = isVariable ? List.of() : List.of(name, value);
    Map<String, String> environment = isVariable ? Map.of(name, value) : Map.of();
    assertSays(says, assertThrows(Failure.class, () -> Settings.read(arguments, environment)));
  }

  @Test
  void aTokenIsGivenOnce() {
    Map<String, String> twice = Map.of("OHHELL_BOT_TOKEN", "a", "OHHELL_BOT_TOKEN_FD", "0");
    assertSays(
        "give the token once, not as OHHELL_BOT_TOKEN and OHHELL_BOT_TOKEN_FD",
        assertThrows(Failure.class, () -> Settings.read(List.of(), twice)));
  }

  @Test
  void aFlagWithoutItsValueIsNamed() {
    assertSays("--lane: a value is missing", assertThrows(Failure.class, () -> read("--lane")));
  }

  @Test
  void aTokenIsReadFromAFile(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("token"), "secret\n");
    assertEquals("secret", read("--token-file", file.toString()).token());
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:0", "[::1]:0", "localhost:0"})
  void thisMachineMayAlwaysCall(String address) throws Failure {
    assertEquals(address, read("--serve", address).serve());
  }

  @Test
  void otherMachinesMayCallWhereThatIsSaid() throws Failure {
    assertTrue(read("--serve", "0.0.0.0:0", "--expose", "on").expose());
    String[] encrypted = {"--certificate", "pom.xml", "--key", "pom.xml", "--serve", "0.0.0.0:0"};
    assertFalse(read(encrypted).expose());
  }

  @Test
  void aCertificateForTheServiceTurnsEncryptionOn() throws Failure {
    Settings settings = read("--certificate", "pom.xml", "--key", "pom.xml");
    assertTrue(settings.tls());
    assertEquals("pom.xml", settings.certificate());
    assertEquals("pom.xml", settings.key());
  }
}
