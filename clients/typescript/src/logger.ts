import type { Log } from "./settings.js";

const ORDER: readonly Log[] = ["error", "warning", "info", "debug"];

/** Writes lines to standard error. */
export class Logger {
  readonly #shown: number;

  constructor(
    least: Log,
    private readonly write: (line: string) => void = (line) =>
      process.stderr.write(line),
  ) {
    this.#shown = ORDER.indexOf(least);
  }

  error = (message: string): void => this.#line("error", message);
  warning = (message: string): void => this.#line("warning", message);
  info = (message: string): void => this.#line("info", message);
  debug = (message: string): void => this.#line("debug", message);

  #line(level: Log, message: string): void {
    if (ORDER.indexOf(level) > this.#shown) return;
    const when = new Date().toISOString();
    this.write(`${when} ohhell_bot ${level.toUpperCase()} ${message}\n`);
  }
}
