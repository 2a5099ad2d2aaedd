import {
  Metadata,
  Server,
  type ServerCredentials,
  type ServerDuplexStream,
  type StatusObject,
  status,
} from "@grpc/grpc-js";
import type { Bot } from "./bot.js";
import { shownTo } from "./encryption.js";
import { SettingsError } from "./errors.js";
import type { PlayRequest, PlayResponse } from "./generated/ohhell/v1/arena_pb.js";
import { BOT, Dialled } from "./line.js";
import type { Logger } from "./logger.js";
import { Seats } from "./seats.js";
import type { Settings } from "./settings.js";
import { Stream } from "./stream.js";

/** Metadata of a call: the lane that it is for; without it, lane 0. */
export const LANE_KEY = "ohhell-lane";
const MAX_LANE = 255;

const OPTIONS = {
  "grpc.max_receive_message_length": 1 << 20,
  // A caller that is gone without a word keeps its lane until a ping is missed.
  "grpc.keepalive_time_ms": 10_000,
  "grpc.keepalive_timeout_ms": 5_000,
};

/** What outlives the calls for one lane. */
interface Lane {
  readonly seats: Seats;
  sessionId: string;
  taken: boolean;
}

type PlayCall = ServerDuplexStream<PlayRequest, PlayResponse>;

/** Takes one call a lane; the lanes share nothing but the process. */
export class BotServer {
  readonly #lanes = new Map<number, Lane>();
  readonly #playing = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #fault: unknown;

  constructor(
    private readonly newBot: () => Bot,
    private readonly settings: Settings,
    private readonly log: Logger,
  ) {}

  /** Until it is stopped. */
  async keep(stop: AbortSignal, ready: (address: string) => void): Promise<void> {
    const shown = shownTo(this.settings);
    const server = new Server(OPTIONS);
    server.addService(BOT, { Play: (call: PlayCall) => this.#take(call) });
    ready(await this.#bind(server, shown));
    const halt = () => this.#stop.abort();
    stop.addEventListener("abort", halt);
    if (stop.aborted) halt();
    if (!this.#stop.signal.aborted) {
      await new Promise((resolve) =>
        this.#stop.signal.addEventListener("abort", resolve),
      );
    }
    stop.removeEventListener("abort", halt);
    await Promise.all(this.#playing);
    server.forceShutdown();
    if (this.#fault) throw this.#fault;
  }

  /** The address with the port that was taken. */
  #bind(server: Server, shown: ServerCredentials): Promise<string> {
    const { serve } = this.settings;
    const host = serve.slice(0, serve.lastIndexOf(":"));
    return new Promise((resolve, reject) =>
      server.bindAsync(serve, shown, (error, port) => {
        if (!error) return resolve(`${host}:${port}`);
        const [, reason] = /\[listen \w+: ([\w ]+)/.exec(error.message) ?? [];
        const why = (reason ?? error.message).trim();
        reject(new SettingsError(`cannot listen on ${serve}: ${why}`));
      }),
    );
  }

  #take(call: PlayCall): void {
    const number = laneOf(call);
    if (number === undefined) {
      refuse(call, status.INVALID_ARGUMENT, `${LANE_KEY} is a number 0..${MAX_LANE}`);
      return;
    }
    const fresh = {
      seats: new Seats(this.newBot, this.log),
      sessionId: "",
      taken: false,
    };
    const lane: Lane = this.#lanes.get(number) ?? fresh;
    this.#lanes.set(number, lane);
    if (lane.taken) {
      const why = `lane ${number} of this bot process is in another call`;
      refuse(call, status.RESOURCE_EXHAUSTED, why);
      return;
    }
    lane.taken = true;
    const playing = this.#play(call, number, lane).finally(() => {
      lane.taken = false;
      this.#playing.delete(playing);
    });
    this.#playing.add(playing);
  }

  async #play(call: PlayCall, number: number, lane: Lane): Promise<void> {
    const settings = { ...this.settings, lane: number };
    const line = new Dialled(call);
    const stream = new Stream(line, lane.seats, settings, lane.sessionId, this.log);
    try {
      const end = await stream.play(this.#stop.signal);
      this.log.info(`lane ${number}: ${end.kind}`);
    } catch (fault) {
      this.#fault = fault;
      this.#stop.abort();
    } finally {
      lane.sessionId = stream.sessionId;
    }
  }
}

/** Undefined for what is no lane. */
function laneOf(call: PlayCall): number | undefined {
  const given = call.metadata.get(LANE_KEY).at(-1) ?? "0";
  const isNumber = typeof given === "string" && /^\d{1,3}$/.test(given);
  return isNumber && Number(given) <= MAX_LANE ? Number(given) : undefined;
}

function refuse(call: PlayCall, code: status, details: string): void {
  const why: StatusObject = { code, details, metadata: new Metadata() };
  call.on("error", () => {});
  call.emit("error", why);
}
