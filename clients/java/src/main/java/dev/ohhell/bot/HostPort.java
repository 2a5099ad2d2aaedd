package dev.ohhell.bot;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An address as it is written: HOST:PORT, an IPv6 host in brackets. */
record HostPort(String host, int port) {
  private static final Pattern WRITTEN =
      Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[^:\\s]+):(\\d{1,5})");
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[?(::1|0*(:0*){6}:0*1)]?");
  private static final int LAST_PORT = 65_535;

  /** IllegalArgumentException where it is no such address. */
  static HostPort of(String text) {
    Matcher written = WRITTEN.matcher(text);
    if (!written.matches() || Integer.parseInt(written.group(2)) > LAST_PORT) {
      throw new IllegalArgumentException("\"%s\" is not HOST:PORT".formatted(text));
    }
    return new HostPort(written.group(1), Integer.parseInt(written.group(2)));
  }

  /** Whether only this machine can reach it. */
  boolean isLoopback() {
    return LOOPBACK.matcher(host).matches();
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
