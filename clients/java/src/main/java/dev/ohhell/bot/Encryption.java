package dev.ohhell.bot;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.util.CertificateUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;

/** How calls are encrypted, from the files that the settings name. */
final class Encryption {
  private Encryption() {}

  /** Whom the bot trusts where it calls, and what it shows there. */
  static ChannelCredentials ofCaller(Settings settings) throws Failure {
    if (!settings.tls()) {
      return InsecureChannelCredentials.create();
    }
    TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
    if (!settings.caFile().isEmpty()) {
      trust(tls, settings.caFile());
    }
    if (!settings.certificate().isEmpty()) {
      Pair pair = Pair.of(settings);
      try {
        tls.keyManager(pair.openCertificate(), pair.openKey());
      } catch (IOException error) {
        throw unfit(settings, error);
      }
    }
    return tls.build();
  }

  /** What the bot shows to whoever calls it. */
  static ServerCredentials ofCalled(Settings settings) throws Failure {
    if (settings.certificate().isEmpty()) {
      return InsecureServerCredentials.create();
    }
    Pair pair = Pair.of(settings);
    try {
      return TlsServerCredentials.create(pair.openCertificate(), pair.openKey());
    } catch (IOException error) {
      throw unfit(settings, error);
    }
  }

  /**
   * Which certificate may be missing. A service that misses one, or does not accept it, takes the
   * connection and, without a word, hangs up after the handshake.
   */
  static String advice(Settings settings, String why) {
    boolean hungUp =
        why.contains("Network closed for unknown reason") || why.contains("Connection reset");
    if (!settings.tls() || !hungUp) {
      return "";
    }
    return settings.certificate().isEmpty()
        ? "; if the service wants its callers to show a certificate, give --certificate and --key"
        : "; if the service wants a certificate of its callers, it does not accept "
            + settings.certificate();
  }

  private static void trust(TlsChannelCredentials.Builder tls, String file) throws Failure {
    try {
      byte[] pem = Files.readAllBytes(Path.of(file));
      if (CertificateUtils.getX509Certificates(new ByteArrayInputStream(pem)).length == 0) {
        throw new CertificateException();
      }
      tls.trustManager(new ByteArrayInputStream(pem));
    } catch (CertificateException error) {
      throw new Failure(Failure.Kind.SETTINGS, file + " holds no certificate");
    } catch (IOException error) {
      throw new Failure(Failure.Kind.SETTINGS, "cannot read " + file);
    }
  }

  private static Failure unfit(Settings settings, Exception error) {
    return new Failure(
        Failure.Kind.SETTINGS,
        "%s and %s are no certificate with its key (%s)"
            .formatted(settings.certificate(), settings.key(), error.getMessage()));
  }

  /** The content of the files; the key is the certificate's. */
  private record Pair(byte[] certificate, byte[] key) {
    static Pair of(Settings settings) throws Failure {
      try {
        byte[] certificate = Files.readAllBytes(Path.of(settings.certificate()));
        byte[] key = Files.readAllBytes(Path.of(settings.key()));
        checkPair(certificate, key);
        return new Pair(certificate, key);
      } catch (IOException | GeneralSecurityException error) {
        throw unfit(settings, error);
      }
    }

    InputStream openCertificate() {
      return new ByteArrayInputStream(certificate);
    }

    InputStream openKey() {
      return new ByteArrayInputStream(key);
    }
  }

  /** gRPC would say that a key is another certificate's to whoever calls, and not here. */
  private static void checkPair(byte[] chain, byte[] key)
      throws IOException, GeneralSecurityException {
    X509Certificate[] certificates =
        CertificateUtils.getX509Certificates(new ByteArrayInputStream(chain));
    if (certificates.length == 0) {
      throw new CertificateException("there is no certificate");
    }
    PublicKey open = certificates[0].getPublicKey();
    PrivateKey secret = CertificateUtils.getPrivateKey(new ByteArrayInputStream(key));
    if (!open.getAlgorithm().equals(secret.getAlgorithm())) {
      throw new GeneralSecurityException("one is for %s".formatted(open.getAlgorithm()));
    }
    Signature signature =
        Signature.getInstance(
            open.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
    signature.initSign(secret);
    signature.update(chain);
    byte[] signed = signature.sign();
    signature.initVerify(open);
    signature.update(chain);
    if (!signature.verify(signed)) {
      throw new GeneralSecurityException("the key is another one's");
    }
  }
}
