import { createHmac } from "node:crypto";

const TWO_32 = 2 ** 32;

/**
 * A bot's chance at one decision, a function of the seat's seed and of the decision alone:
 * a decision that is asked again, in whatever process or language, meets the same chance.
 *
 * Its 32-bit words are HMAC-SHA256(botSeed, "decision" | u32be seq | u64be counter) for
 * counter 0, 1, ..., taken as eight big-endian words each, in order.
 */
export class Draws {
  readonly #key: Uint8Array;
  readonly #message = Buffer.alloc(20, "decision");
  #counter = 0n;
  #words: Buffer = Buffer.alloc(0);

  constructor(botSeed: Uint8Array, seq: number) {
    this.#key = botSeed;
    this.#message.writeUInt32BE(seq, 8);
  }

  /** 0 <= word < 2**32. */
  word(): number {
    if (this.#words.length === 0) {
      this.#message.writeBigUInt64BE(this.#counter, 12);
      this.#words = createHmac("sha256", this.#key).update(this.#message).digest();
      this.#counter += 1n;
    }
    const word = this.#words.readUInt32BE(0);
    this.#words = this.#words.subarray(4);
    return word;
  }

  /** 0 <= result < m, all equally likely; 1 <= m <= 2**32, or a RangeError. */
  below(m: number): number {
    if (!(Number.isInteger(m) && m >= 1 && m <= TWO_32)) {
      throw new RangeError(`cannot draw below ${m}: 1..2**32`);
    }
    const limit = TWO_32 - (TWO_32 % m);
    let word = this.word();
    while (word >= limit) word = this.word();
    return word % m;
  }

  /** 0 <= result < 1 with 53 random bits, out of two words. */
  random(): number {
    const high = this.word() >>> 5;
    const low = this.word() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  }

  /** RangeError if there is nothing to choose from. */
  choice<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }

  /** In place: from the last place down, swap with one of the places up to it. */
  shuffle<T>(items: T[]): void {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [items[i], items[j]] = [items[j], items[i]];
    }
  }
}
