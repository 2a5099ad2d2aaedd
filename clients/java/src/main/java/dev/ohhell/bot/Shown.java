package dev.ohhell.bot;

import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.util.CertificateUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/** What a bot shows to whoever calls it. */
final class Shown {
  private Shown() {}

  static ServerCredentials credentials(Settings settings) throws Failure {
    if (settings.certificate().isEmpty()) {
      return InsecureServerCredentials.create();
    }
    try {
      byte[] chain = Files.readAllBytes(Path.of(settings.certificate()));
      byte[] key = Files.readAllBytes(Path.of(settings.key()));
      checkPair(chain, key);
      return TlsServerCredentials.create(
          new ByteArrayInputStream(chain), new ByteArrayInputStream(key));
    } catch (IOException | GeneralSecurityException error) {
      throw new Failure(
          Failure.Kind.SETTINGS,
          "%s and %s are no certificate with its key (%s)"
              .formatted(settings.certificate(), settings.key(), error.getMessage()));
    }
  }

  /** gRPC would say that a key is another certificate's to whoever calls, and not here. */
  private static void checkPair(byte[] chain, byte[] key)
      throws IOException, GeneralSecurityException {
    PublicKey open =
        CertificateUtils.getX509Certificates(new ByteArrayInputStream(chain))[0].getPublicKey();
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
