import { Client, Metadata, status } from "@grpc/grpc-js";
import type { Bot } from "./bot.js";
import { advice, credentialsOf } from "./encryption.js";
import { BotLibraryError, GivenUp, Refused } from "./errors.js";
import { ARENA, DialledIn } from "./line.js";
import { Logger } from "./logger.js";
import { Seats } from "./seats.js";
import { BotServer } from "./serving.js";
import { defaults, readSettings, type Settings } from "./settings.js";
import { type End, Stream } from "./stream.js";

const INTERRUPTED = 130;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

const USELESS_TO_RETRY = new Set([
  status.UNAUTHENTICATED,
  status.PERMISSION_DENIED,
  status.INVALID_ARGUMENT,
  status.FAILED_PRECONDITION,
  status.UNIMPLEMENTED,
]);

const CHANNEL = {
  "grpc.keepalive_time_ms": 20_000,
  "grpc.keepalive_timeout_ms": 10_000,
  "grpc.keepalive_permit_without_calls": 1,
  "grpc.max_receive_message_length": 1 << 20,
  // Every connection is a new one: waiting between tries is done here.
  "grpc.use_local_subchannel_pool": 1,
  "grpc.service_config_disable_resolution": 1,
  "grpc.enable_http_proxy": 0,
};

/** How a program of its own runs a bot. */
export interface Running {
  /** Ends it, with a goodbye. */
  readonly stop: AbortSignal;
  readonly log?: Logger;
}

/**
 * Plays until the service is gone for good or the process is told to stop, and then exits.
 * With the setting `serve` it waits for calls of the service, as `serve` does.
 *
 * `newBot` is called once for every match. Settings come from the program's flags and its
 * environment.
 */
export function run(newBot: () => Bot): Promise<never> {
  return runWith(newBot, defaults());
}

/**
 * As `run`, but waits to be called: prints where it listens, one caller a lane. Port 0
 * takes a free one; the address is only the default of its setting, `serve`.
 */
export function serve(newBot: () => Bot, address = "127.0.0.1:0"): Promise<never> {
  return runWith(newBot, { ...defaults(), serve: address });
}

async function runWith(newBot: () => Bot, base: Settings): Promise<never> {
  const stop = new AbortController();
  let code = 0;
  process.once("SIGTERM", () => stop.abort());
  process.once("SIGINT", () => {
    code = INTERRUPTED;
    stop.abort();
  });
  try {
    const settings = readSettings(process.argv.slice(2), process.env, base);
    const running = { stop: stop.signal };
    if (settings.serve) {
      await listen(newBot, settings, {
        ...running,
        // Whoever started it reads where to call.
        ready: (address) => process.stdout.write(`serving on ${address}\n`),
      });
    } else {
      await connect(newBot, settings, running);
    }
  } catch (error) {
    if (!(error instanceof BotLibraryError)) throw error;
    process.stderr.write(`ohhell_bot: ${error.message}\n`);
    code = error.status;
  }
  process.exit(code);
}

/**
 * Waits at `settings.serve` to be called, until it is stopped; rejects with SettingsError or
 * BotFault. `ready` is told where it listens.
 */
export function listen(
  newBot: () => Bot,
  settings: Settings,
  running: Running & { readonly ready: (address: string) => void },
): Promise<void> {
  const log = running.log ?? new Logger(settings.log);
  return new BotServer(newBot, settings, log).keep(running.stop, running.ready);
}

/**
 * Plays over one stream after the other, which look like one to the bots, until it is
 * stopped; rejects with Refused, GivenUp or BotFault.
 */
export async function connect(
  newBot: () => Bot,
  settings: Settings,
  running: Running,
): Promise<void> {
  const log = running.log ?? new Logger(settings.log);
  const trusted = credentialsOf(settings);
  const seats = new Seats(newBot, log);
  let [sessionId, why, lostAt, wait] = ["", "", performance.now(), FIRST_WAIT_MS];
  while (!running.stop.aborted) {
    const client = new Client(settings.address, trusted, CHANNEL);
    const metadata = new Metadata();
    if (settings.token) metadata.set("authorization", `Bearer ${settings.token}`);
    const { path, requestSerialize, responseDeserialize } = ARENA.Connect;
    const call = client.makeBidiStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      metadata,
    );
    const stream = new Stream(new DialledIn(call), seats, settings, sessionId, log);
    let end: End;
    try {
      end = await stream.play(running.stop);
    } finally {
      client.close();
    }
    sessionId = stream.sessionId;
    if (end.kind === "stopped") return;
    const now = reasonOf(end) + (stream.welcomed ? "" : advice(settings, end));
    if (end.kind === "superseded") throw new Refused(`${now} (${settings.instance})`);
    if (end.kind === "lost" && USELESS_TO_RETRY.has(end.status.code)) {
      throw new Refused(`${settings.address}: ${now}`);
    }
    if (stream.welcomed) [lostAt, wait] = [performance.now(), FIRST_WAIT_MS];
    if (stream.welcomed || now !== why) log.warning(`${now}: trying again`);
    why = now;
    if (performance.now() - lostAt > settings.patienceS * 1000) {
      throw new GivenUp(
        `${settings.address} was out of reach for ${settings.patienceS} s: ${why}`,
      );
    }
    // Not a part of any game: many bots must not come back at once.
    await pause(wait * (0.8 + 0.4 * Math.random()), running.stop);
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
  }
}

function reasonOf(end: End): string {
  switch (end.kind) {
    case "closed":
      return "the service closed the stream";
    case "drained":
      return "the service went down as announced";
    case "superseded":
      return "another process with the same instance name took over";
    case "unwelcome":
      return "no welcome came";
    case "stopped":
      return "stopped";
    case "lost":
      return `${status[end.status.code]} ${end.status.details}`;
  }
}

function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stop.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    stop.addEventListener("abort", done);
    if (stop.aborted) done();
  });
}
