package dev.ohhell.bot;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Collections;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A bot's chance at one decision, a function of the seat's seed and of the decision alone: a
 * decision that is asked again, in whatever process or language, meets the same chance. Its 32-bit
 * words are
 *
 * <pre>HMAC-SHA256(botSeed, "decision" | u32be seq | u64be counter)   counter = 0, 1, ...</pre>
 *
 * taken as eight big-endian words each, in order.
 */
public final class Draws {
  private static final byte[] LABEL = {'d', 'e', 'c', 'i', 's', 'i', 'o', 'n'};
  private static final long ALL = 1L << 32;

  private final Mac mac;
  private final int seq;
  private long counter;
  private ByteBuffer words = ByteBuffer.allocate(0);

  /** Starts the words of a decision; the seed holds 16 bytes. */
  public Draws(byte[] botSeed, int seq) {
    this.seq = seq;
    try {
      mac = Mac.getInstance("HmacSHA256");
      // A key of no bytes, which Java refuses, is to HMAC the same as one of a zero.
      byte[] key = botSeed.length == 0 ? new byte[1] : botSeed;
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException("every Java platform has HmacSHA256", error);
    }
  }

  /** 32 random bits, 0..2^32-1. */
  public long word() {
    if (!words.hasRemaining()) {
      mac.update(LABEL);
      mac.update(ByteBuffer.allocate(12).putInt(seq).putLong(counter++).flip());
      words = ByteBuffer.wrap(mac.doFinal());
    }
    return Integer.toUnsignedLong(words.getInt());
  }

  /** 0..m-1, all equally likely; IllegalArgumentException unless m is 1 or more. */
  public int below(int m) {
    if (m < 1) {
      throw new IllegalArgumentException("cannot draw below " + m);
    }
    long limit = ALL - ALL % m;
    while (true) {
      long word = word();
      if (word < limit) {
        return (int) (word % m);
      }
    }
  }

  /** 0.0 up to, not including, 1.0, with 53 random bits out of two words. */
  public double nextDouble() {
    long high = word() >>> 5;
    long low = word() >>> 6;
    return (high << 26 | low) * 0x1p-53;
  }

  /** Swaps from the last place down with one of the places up to it. */
  public void shuffle(List<?> items) {
    for (int i = items.size() - 1; i > 0; i--) {
      Collections.swap(items, i, below(i + 1));
    }
  }

  /** One of the items, all equally likely. */
  public <T> T choice(List<T> items) {
    return items.get(below(items.size()));
  }
}
