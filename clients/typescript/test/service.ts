/** The service's end of calls, as a test says, both ways round. */
import { create } from "@bufbuild/protobuf";
import {
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  status,
} from "@grpc/grpc-js";
import {
  type ConnectRequest,
  type ConnectResponse,
  ConnectResponseSchema,
  type PlayRequest,
  PlayRequestSchema,
  type PlayResponse,
} from "../src/generated/ohhell/v1/arena_pb.js";
import type { ClientFrame, ServerFrame } from "../src/generated/ohhell/v1/frames_pb.js";
import { type Bot, defaults, listen, type Settings } from "../src/index.js";
import { ARENA, BOT } from "../src/line.js";
import { Logger } from "../src/logger.js";
import { LANE_KEY } from "../src/serving.js";

export const MAX_FRAMES = 128;
const PATIENCE_MS = 20_000;

/** What comes, in order, whether it is waited for or not. */
export class Queue<T> {
  readonly #items: T[] = [];
  readonly #waiting: ((item: T) => void)[] = [];

  add(item: T): void {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(item);
    else this.#items.push(item);
  }

  get size(): number {
    return this.#items.length;
  }

  next(): Promise<T> {
    const item = this.#items.shift();
    if (item !== undefined) return Promise.resolve(item);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("nothing came")), PATIENCE_MS);
      this.#waiting.push((late) => {
        clearTimeout(timer);
        resolve(late);
      });
    });
  }
}

/** One call; `heard` has "over" after the last frame of the bot. */
export interface Caller {
  readonly heard: Queue<ClientFrame | "over">;
  readonly authorization: string | undefined;
  say(...frames: ServerFrame[]): void;
  close(code: keyof typeof status): void;
}

function hear(heard: Queue<ClientFrame | "over">, frames: ClientFrame[]): void {
  if (frames.length > MAX_FRAMES) throw new Error(`${frames.length} frames`);
  for (const frame of frames) heard.add(frame);
}

/** A service to which bots connect. */
export class Arena {
  readonly streams = new Queue<Caller>();
  readonly #server = new Server();
  address = "";

  async start(shown = ServerCredentials.createInsecure()): Promise<this> {
    this.#server.addService(ARENA, {
      Connect: (call: ServerDuplexStream<ConnectRequest, ConnectResponse>) =>
        this.streams.add(this.#caller(call)),
    });
    const port = await new Promise<number>((resolve, reject) =>
      this.#server.bindAsync("127.0.0.1:0", shown, (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    this.address = `127.0.0.1:${port}`;
    return this;
  }

  #caller(call: ServerDuplexStream<ConnectRequest, ConnectResponse>): Caller {
    const heard = new Queue<ClientFrame | "over">();
    call.on("data", (message: ConnectRequest) => hear(heard, message.frames));
    call.on("end", () => {
      heard.add("over");
      call.end();
    });
    call.on("error", () => {});
    return {
      heard,
      authorization: call.metadata.get("authorization")[0] as string | undefined,
      say: (...frames) => call.write(create(ConnectResponseSchema, { frames })),
      close: (code) => {
        if (code === "OK") call.end();
        else call.emit("error", { code: status[code], details: "the test says so" });
      },
    };
  }

  stop(): void {
    this.#server.forceShutdown();
  }
}

/** Calls again and again while the lane is taken. */
export async function dial(client: Client, lane: string): Promise<Caller> {
  for (;;) {
    const [caller, refusal] = await dialOnce(client, lane);
    if (caller) return caller;
    if (refusal !== status.RESOURCE_EXHAUSTED) throw new Error(status[refusal]);
  }
}

/** The call, or with which status it was refused. */
export function dialOnce(
  client: Client,
  lane: string,
): Promise<[Caller] | [undefined, status]> {
  const metadata = new Metadata();
  metadata.set(LANE_KEY, lane);
  const { path, requestSerialize, responseDeserialize } = BOT.Play;
  const call: ClientDuplexStream<PlayRequest, PlayResponse> =
    client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata);
  const heard = new Queue<ClientFrame | "over">();
  const caller: Caller = {
    heard,
    authorization: undefined,
    say: (...frames) => call.write(create(PlayRequestSchema, { frames })),
    close: (code) => (code === "OK" ? call.end() : call.cancel()),
  };
  call.on("error", () => {});
  return new Promise((resolve) => {
    call.on("data", (message: PlayResponse) => {
      hear(heard, message.frames);
      resolve([caller]);
    });
    call.on("status", ({ code }) => {
      heard.add("over");
      resolve([undefined, code]);
    });
  });
}

export const clientOf = (
  address: string,
  trust = credentials.createInsecure(),
): Client => new Client(address, trust);

/** A bot that waits to be called. */
export async function serving(newBot: () => Bot, more: Partial<Settings> = {}) {
  const stop = new AbortController();
  const settings = { ...defaults(), serve: "127.0.0.1:0", ...more };
  const log = new Logger("error", () => {});
  let run = Promise.resolve();
  const address = await new Promise<string>((ready, reject) => {
    run = listen(newBot, settings, { stop: stop.signal, log, ready });
    run.catch(reject);
  });
  return { address, run, stop };
}
