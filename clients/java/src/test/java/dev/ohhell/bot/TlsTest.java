package dev.ohhell.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ohhell.lowest.Lowest;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ServerCredentials;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import java.io.File;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
  private static final String PASSWORD = "not secret";

  @TempDir private Path folder;

  /** The files of a certificate for 127.0.0.1 that vouches for itself, and of its key. */
  private Settings certified(String name) throws Exception {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD,
                "-alias",
                "own",
                "-dname",
                "CN=bot",
                "-ext",
                "san=ip:127.0.0.1",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1")
            .inheritIO()
            .start();
    assertEquals(0, keytool.waitFor());
    KeyStore made = KeyStore.getInstance("PKCS12");
    try (InputStream from = Files.newInputStream(store)) {
      made.load(from, PASSWORD.toCharArray());
    }
    Certificate certificate = made.getCertificate("own");
    Key key = made.getKey("own", PASSWORD.toCharArray());
    Settings settings = new Settings();
    settings.serve = "127.0.0.1:0";
    settings.certificate = written(name + ".pem", "CERTIFICATE", certificate.getEncoded());
    settings.key = written(name + "-key.pem", "PRIVATE KEY", key.getEncoded());
    return settings;
  }

  private String written(String name, String kind, byte[] content) throws Exception {
    String text = Base64.getMimeEncoder().encodeToString(content);
    String pem = "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(kind, text, kind);
    return Files.writeString(folder.resolve(name), pem).toString();
  }

  @Test
  void aBotWithACertificateIsCalledByWhoTrustsIt() throws Exception {
    Settings settings = certified("own");
    CompletableFuture<String> ready = new CompletableFuture<>();
    BotServer server = new BotServer(Lowest::new, settings);
    try (Running run = new Running(stop -> server.keep(stop, ready::complete))) {
      String address = ready.get(Caller.PATIENCE_S, TimeUnit.SECONDS);
      ChannelCredentials trust =
          TlsChannelCredentials.newBuilder()
              .trustManager(Path.of(settings.certificate).toFile())
              .build();
      ManagedChannel trusting = Grpc.newChannelBuilder(address, trust).build();
      ManagedChannel unencrypted =
          Grpc.newChannelBuilder(address, InsecureChannelCredentials.create()).build();
      try {
        assertEquals(3, Dialling.dial(trusting, 3).next().getHello().getLane());
        assertEquals(Status.Code.UNAVAILABLE, Dialling.answer(unencrypted, "4"));
      } finally {
        trusting.shutdownNow();
        unencrypted.shutdownNow();
      }
    }
  }

  @Test
  void aServiceThatWantsACertificateIsShownTheOneOfTheSettings() throws Exception {
    Settings settings = certified("own");
    File certificate = new File(settings.certificate);
    ServerCredentials demanding =
        TlsServerCredentials.newBuilder()
            .keyManager(certificate, new File(settings.key))
            .trustManager(certificate)
            .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
            .build();
    try (Arena arena = new Arena(demanding)) {
      settings.address = arena.address();
      settings.tls = true;
      settings.caFile = settings.certificate;
      settings.patience = Duration.ZERO;
      Settings without = new Settings();
      without.address = settings.address;
      without.tls = true;
      without.caFile = settings.certificate;
      without.patience = Duration.ZERO;
      try (Running run = new Running(new Connection(Lowest::new, without)::keep)) {
        assertTrue(run.ending().startsWith("GIVEN_UP: "), run.ending());
      }
      try (Running run = new Running(new Connection(Lowest::new, settings)::keep)) {
        assertEquals(0, arena.next().next().getHello().getLane());
      }
    }
  }

  @Test
  void aKeyOfAnotherCertificateIsRefused() throws Exception {
    Settings settings = certified("one");
    settings.key = certified("another").key;
    BotServer server = new BotServer(Lowest::new, settings);
    try (Running run = new Running(stop -> server.keep(stop, address -> {}))) {
      assertTrue(run.ending().startsWith("SETTINGS: "), run.ending());
      assertTrue(run.ending().contains(" are no certificate with its key"), run.ending());
    }
    settings.tls = true;
    try (Running run = new Running(new Connection(Lowest::new, settings)::keep)) {
      assertTrue(run.ending().startsWith("SETTINGS: "), run.ending());
      assertTrue(run.ending().contains(" are no certificate with its key"), run.ending());
    }
  }
}
