/** Base of everything that the library throws on purpose. */
export class BotLibraryError extends Error {
  /** Exit status of a bot process that ends by it. */
  readonly status: number = 2;

  override get name(): string {
    return this.constructor.name;
  }
}

/** A flag or variable is wrong: names it, and what would be right. */
export class SettingsError extends BotLibraryError {}

/** The service does not want this bot, trying again is useless. */
export class Refused extends BotLibraryError {}

/** The bot's own code failed, and it was asked to stop then. */
export class BotFault extends BotLibraryError {
  override readonly status = 1;
}

/** The service was out of reach for too long. */
export class GivenUp extends BotLibraryError {
  override readonly status = 3;
}

/** A bot returned something that is no answer. */
export class BadAnswer extends BotLibraryError {}
