import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isIPv4, isIPv6 } from "node:net";
import { parseArgs } from "node:util";
import { SettingsError } from "./errors.js";

export type Log = "error" | "warning" | "info" | "debug";

/** How a bot process is told where to go: flags, over `OHHELL_BOT_*`, over defaults. */
export interface Settings {
  /** Where the service listens, HOST:PORT. */
  address: string;
  token: string;
  tls: boolean;
  /** PEM; empty: the system's. */
  caFile: string;
  /** Tells this process from others of the bot. */
  instance: string;
  lane: number;
  /** Prompts open at once. */
  workers: number;
  /** Without effect: a bot that thinks for long returns a promise. */
  threads: number;
  patienceS: number;
  log: Log;
  /** When the bot's own code throws: tell the table, or end the process. */
  onError: "concede" | "stop";
  /** Where to wait for calls instead of making one; empty: nowhere. */
  serve: string;
  /** A chain, PEM, shown to the service, or with `serve` to whoever calls; empty: none. */
  certificate: string;
  /** The key of that certificate, PEM. */
  key: string;
  expose: boolean;
}

export const defaults = (): Settings => ({
  address: "127.0.0.1:50051",
  token: "",
  tls: false,
  caFile: "",
  instance: randomBytes(8).toString("hex"),
  lane: 0,
  workers: 1,
  threads: 0,
  patienceS: 600,
  log: "info",
  onError: "concede",
  serve: "",
  certificate: "",
  key: "",
  expose: false,
});

const PREFIX = "OHHELL_BOT_";

/** One thing that may be set: flag `--some-thing`, variable `..SOME_THING`. */
interface Setting {
  readonly put: (text: string) => Partial<Settings>;
  /** None: it is no flag. */
  readonly help?: string;
}

const SETTINGS: Readonly<Record<string, Setting>> = {
  address: {
    put: (text) => ({ address: address(text, 1) }),
    help: "where the service listens, HOST:PORT",
  },
  // A token in a flag could be read by every user of the machine.
  token: { put: (text) => ({ token: word(text) }) },
  token_file: {
    put: (text) => ({ token: word(content(text, text)) }),
    help: "file that holds the bot's token",
  },
  token_fd: {
    put: (text) => ({ token: word(content(between(text, 0, 65_535), text)) }),
    help: "descriptor from which to read the token once",
  },
  tls: {
    put: (text) => ({ tls: onOrOff(text) }),
    help: "on: encrypt, and check the service's certificate",
  },
  ca_file: {
    put: (text) => ({ caFile: file(text), tls: true }),
    help: "certificates to trust, PEM; turns TLS on",
  },
  instance: {
    put: (text) => ({ instance: word(text) }),
    help: "name of this process among those of the bot",
  },
  lane: {
    put: (text) => ({ lane: between(text, 0, 255) }),
    help: "lane this process plays",
  },
  workers: {
    put: (text) => ({ workers: between(text, 1, 4096) }),
    help: "prompts to have open at once",
  },
  threads: {
    put: (text) => ({ threads: between(text, 0, 256) }),
    help: "without effect here: return a promise to think for long",
  },
  patience_s: {
    put: (text) => ({ patienceS: between(text, 1, 86_400) }),
    help: "seconds to try to reach the service",
  },
  log: {
    put: (text) => ({ log: oneOf(text, "error", "warning", "info", "debug") }),
    help: "how much to log: error, warning, info, debug",
  },
  on_error: {
    put: (text) => ({ onError: oneOf(text, "concede", "stop") }),
    help: "when the bot's own code throws: concede, stop",
  },
  serve: {
    put: (text) => ({ serve: address(text, 0) }),
    help: "wait at HOST:PORT for the service to call",
  },
  certificate: {
    put: (text) => ({ certificate: file(text), tls: true }),
    help: "chain to show to the other end, PEM; encrypts",
  },
  key: {
    put: (text) => ({ key: file(text) }),
    help: "the key of that certificate, PEM",
  },
  expose: {
    put: (text) => ({ expose: onOrOff(text) }),
    help: "on: other machines may call, unencrypted",
  },
};

const flagOf = (name: string) => name.replaceAll("_", "-");
const variableOf = (name: string) => PREFIX + name.toUpperCase();

function word(text: string): string {
  if (text.trim() === "") throw new RangeError("it is empty");
  return text.trim();
}

function address(text: string, leastPort: number): string {
  const [, port] = /^.+:(\d{1,5})$/.exec(text.trim()) ?? [];
  if (port === undefined || Number(port) < leastPort || Number(port) > 65_535) {
    throw new RangeError(`'${text}' is not HOST:PORT`);
  }
  return text.trim();
}

function between(text: string, low: number, high: number): number {
  if (!/^\d+$/.test(text) || Number(text) < low || Number(text) > high) {
    throw new RangeError(`'${text}' is not a whole number ${low}..${high}`);
  }
  return Number(text);
}

function oneOf<T extends string>(text: string, ...words: T[]): T {
  const found = words.find((one) => one === text.toLowerCase());
  if (!found) throw new RangeError(`'${text}' is none of ${words.join(", ")}`);
  return found;
}

const onOrOff = (text: string) => oneOf(text, "on", "off") === "on";

function file(text: string): string {
  if (!statSync(text, { throwIfNoEntry: false })?.isFile()) {
    throw new RangeError(`there is no file ${text}`);
  }
  return text;
}

function content(from: string | number, called: string): string {
  try {
    return readFileSync(from, "utf8");
  } catch (error) {
    throw new RangeError(`cannot read from ${called}: ${(error as Error).message}`);
  }
}

/** The name of a setting, what it is called where it was given, and its text. */
type Given = readonly [name: string, called: string, text: string];

/** SettingsError for anything unknown, malformed or contradictory. */
export function readSettings(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  base: Settings = defaults(),
): Settings {
  const settings = { ...base };
  for (const source of [inEnvironment(environment), inWords(words)]) {
    const tokens = source.filter(([name]) => name.startsWith("token"));
    if (tokens.length > 1) {
      const called = tokens.map(([, one]) => one).join(" and ");
      throw new SettingsError(`give the token once, not as ${called}`);
    }
    for (const [name, called, text] of source) {
      try {
        Object.assign(settings, SETTINGS[name].put(text));
      } catch (error) {
        throw new SettingsError(`${called}: ${(error as Error).message}`);
      }
    }
  }
  checkEncryption(settings);
  return settings;
}

function checkEncryption({ serve, certificate, key, expose }: Settings): void {
  if ((certificate === "") !== (key === "")) {
    throw new SettingsError("--certificate and --key: give both, or neither");
  }
  if (serve && !certificate && !expose && !isLoopback(serve)) {
    throw new SettingsError(
      `--serve ${serve}: other machines could call the bot, and nothing is` +
        " encrypted; give --certificate and --key, or add --expose on",
    );
  }
}

function inEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Given[] {
  return Object.keys(environment)
    .filter((variable) => variable.startsWith(PREFIX))
    .sort()
    .map((variable) => {
      const name = variable.slice(PREFIX.length).toLowerCase();
      if (!(name in SETTINGS) || variable !== variableOf(name)) {
        throw new SettingsError(
          `${variable} is not a setting of a bot; did you mean ${nearest(variable)}?`,
        );
      }
      return [name, variable, environment[variable] ?? ""] as const;
    });
}

function inWords(words: readonly string[]): Given[] {
  const names = Object.keys(SETTINGS).filter((name) => SETTINGS[name].help);
  const options = names.map((name) => [flagOf(name), { type: "string" }] as const);
  try {
    const { values } = parseArgs({
      args: [...words],
      options: Object.fromEntries(options),
      allowPositionals: false,
    });
    return names
      .filter((name) => values[flagOf(name)] !== undefined)
      .map(
        (name) => [name, `--${flagOf(name)}`, String(values[flagOf(name)])] as const,
      );
  } catch (error) {
    const [reason] = (error as Error).message.split(". ");
    const lines = names.map((n) => `  --${flagOf(n).padEnd(12)} ${SETTINGS[n].help}`);
    throw new SettingsError(`${reason}\n${lines.join("\n")}`);
  }
}

function isLoopback(hostAndPort: string): boolean {
  const host = hostAndPort.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  if (isIPv4(host)) return host.startsWith("127.");
  return isIPv6(host) ? host === "::1" : host === "localhost";
}

/** The known variable with the fewest letters to change. */
function nearest(variable: string): string {
  const known = Object.keys(SETTINGS).map(variableOf);
  return known.reduce((best, one) =>
    distance(variable, one) < distance(variable, best) ? one : best,
  );
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const change = row[j] + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(change, next[j] + 1, row[j + 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}
