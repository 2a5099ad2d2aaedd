import { Bot } from "./bot.js";
import { BadAnswer } from "./errors.js";
import type { SeatAssigned, SeatEnded } from "./generated/ohhell/v1/frames_pb.js";
import type { Logger } from "./logger.js";
import { Match, Rules } from "./match.js";

/** One match of a bot. */
export interface Seat {
  readonly bot: Bot;
  readonly match: Match;
}

/** Seats that have ended: the service says no more of them a second time. */
const MOST_REMEMBERED = 512;

/** The seats that a bot process holds, whatever becomes of its connection. */
export class Seats {
  readonly #held = new Map<string, Seat>();
  readonly #rules = new Map<string, Rules>();
  /** Seats that are over, oldest first. */
  readonly #ended = new Set<string>();

  constructor(
    private readonly newBot: () => Bot,
    private readonly log: Logger,
  ) {}

  /**
   * Makes the bot of every match, once, also when the seat is assigned again. None for a
   * seat that is over: the service cannot know that it was heard.
   */
  assign(assigned: SeatAssigned): Seat | undefined {
    if (assigned.rules) {
      this.#rules.set(assigned.rulesHash, Rules.fromWire(assigned.rules));
    }
    const key = keyOf(assigned.table, assigned.seat);
    const rules = this.#rules.get(assigned.rulesHash);
    if (!rules) {
      this.log.warning(`table ${assigned.table} has rules that were never told`);
      return undefined;
    }
    if (this.#ended.has(`${assigned.handle} ${key}`)) return undefined;
    const held = this.#held.get(key);
    if (held) return held;
    const match = new Match(assigned, rules);
    const seat = { bot: this.#made(match), match };
    this.#held.set(key, seat);
    this.log.debug(`seat ${match.seat} at table ${match.table}`);
    this.#guarded("matchStart", match, () => seat.bot.matchStart(match));
    return seat;
  }

  #made(match: Match): Bot {
    try {
      return this.newBot();
    } catch (error) {
      this.log.error(
        `no bot could be made for table ${match.table}: ${stackOf(error)}`,
      );
      return new Nobody(`no bot could be made: ${error}`);
    }
  }

  end(seat: Seat, ended: SeatEnded): void {
    const { bot, match } = seat;
    const key = keyOf(match.table, match.seat);
    this.#held.delete(key);
    this.#ended.add(`${ended.handle} ${key}`);
    if (this.#ended.size > MOST_REMEMBERED) {
      const [oldest] = this.#ended;
      if (oldest !== undefined) this.#ended.delete(oldest);
    }
    const { reason, scores, winners } = ended;
    this.log.debug(`table ${match.table} ended: ${scores}`);
    this.#guarded("matchEnd", match, () =>
      bot.matchEnd({ match, reason, scores, winners }),
    );
  }

  /** The service knows nothing of an earlier session: its matches are gone. */
  forget(): void {
    this.#held.clear();
    this.#ended.clear();
  }

  #guarded(method: string, match: Match, call: () => unknown): void {
    const failed = (error: unknown) =>
      this.log.error(`${method} threw at table ${match.table}: ${stackOf(error)}`);
    try {
      const done = call();
      // Nobody waits for it, but a promise that is broken would end the process.
      if (done instanceof Promise) done.catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}

/**
 * Takes the place of a bot that could not be made: its table learns of it with the first
 * question, and other tables go on.
 */
class Nobody extends Bot {
  constructor(private readonly why: string) {
    super();
  }

  bid(): never {
    throw new BadAnswer(this.why);
  }

  play(): never {
    throw new BadAnswer(this.why);
  }

  override chooseTrump(): never {
    throw new BadAnswer(this.why);
  }

  override lay(): never {
    throw new BadAnswer(this.why);
  }
}

const stackOf = (error: unknown): unknown =>
  error instanceof Error ? error.stack : error;

const keyOf = (table: string, seat: number): string => `${seat} ${table}`;
