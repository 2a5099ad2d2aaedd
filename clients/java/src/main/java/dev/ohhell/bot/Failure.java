package dev.ohhell.bot;

/** Why a run ended that was not told to stop; the message says everything. */
public final class Failure extends Exception {
  private static final long serialVersionUID = 1L;

  /** What may end a run, with the exit status of the process. */
  public enum Kind {
    /** The bot's own code failed, and it was asked to stop then. */
    FAULT(1),
    /** A flag or variable is wrong. */
    SETTINGS(2),
    /** The service does not want this bot: trying again is useless. */
    REFUSED(2),
    /** The service was out of reach for too long. */
    GIVEN_UP(3);

    private final int exitStatus;

    Kind(int exitStatus) {
      this.exitStatus = exitStatus;
    }

    public int exitStatus() {
      return exitStatus;
    }
  }

  private final Kind kind;

  Failure(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
