package dev.ohhell.bot;

import dev.ohhell.v1.ClientFrame;
import java.util.List;

/** The bot's end of one call between a bot and the service, whoever made it. */
interface Line {
  /** Sends one message. Never called twice at the same time, like the others. */
  void write(List<ClientFrame> frames);

  /** Everything has been said. */
  void finish();

  /** Ends the call at once, as far as that is in the bot's hands. */
  void close();
}
