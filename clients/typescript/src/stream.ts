import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type StatusObject, status } from "@grpc/grpc-js";
import { answerFrame, ask, noAnswer } from "./decision.js";
import { BadAnswer, BotFault } from "./errors.js";
import {
  type AnswerResult,
  type ClientFrame,
  ClientFrameSchema,
  type Notice,
  NoticeKind,
  type ServerFrame,
  type Welcome,
  type Withdrawn,
} from "./generated/ohhell/v1/frames_pb.js";
import type { View as WireView } from "./generated/ohhell/v1/match_pb.js";
import type { Line } from "./line.js";
import type { Logger } from "./logger.js";
import type { Seat, Seats } from "./seats.js";
import type { Settings } from "./settings.js";
import { View } from "./view.js";

const REVISION = 1;
const SOFTWARE = "ohhell-bot/typescript 0.1.0";
/** Frames in one message. */
const MAX_FRAMES = 128;
/** Why a prompt is withdrawn that expired. */
const DEFAULTED = "DEFAULTED";
/** Answers of one received message leave together, unless thinking takes this long. */
const HOLD_BACK_MS = 1;
const WELCOME_MS = 10_000;
const GOODBYE_MS = 1_000;

/** Why a stream ended: on purpose, or with the status of its call. */
export type End =
  | { readonly kind: "closed" | "drained" | "superseded" | "stopped" | "unwelcome" }
  | { readonly kind: "lost"; readonly status: StatusObject };

type Body = NonNullable<MessageInitShape<typeof ClientFrameSchema>["body"]>;

/** A prompt that a bot thinks about. */
interface Thought {
  readonly view: View;
  dropped: boolean;
}

/** One connection to the service, from Hello to its end: many tables on one line. */
export class Stream {
  sessionId: string;
  welcomed = false;
  readonly #handles = new Map<number, Seat>();
  readonly #thoughts = new Set<Thought>();
  readonly #inbox: ServerFrame[] = [];
  #outbox: ClientFrame[] = [];
  #working = false;
  #announced: "drained" | "superseded" | undefined;
  #leaving = false;
  #over = false;
  #end: (end: End) => void = () => {};
  #fail: (fault: BotFault) => void = () => {};

  constructor(
    private readonly line: Line,
    private readonly seats: Seats,
    private readonly settings: Settings,
    sessionId: string,
    private readonly log: Logger,
  ) {
    this.sessionId = sessionId;
  }

  /** Until the stream ends; says goodbye where `stop` ends it. Rejects with BotFault. */
  async play(stop: AbortSignal): Promise<End> {
    const welcome = setTimeout(() => {
      if (!this.welcomed) this.#end({ kind: "unwelcome" });
    }, WELCOME_MS);
    const leave = () => this.#leave();
    try {
      return await new Promise<End>((resolve, reject) => {
        this.#end = resolve;
        this.#fail = reject;
        this.line.listen(
          (frames) => this.#receive(frames),
          (why) => this.#lost(why),
        );
        this.#hello();
        if (stop.aborted) leave();
        else stop.addEventListener("abort", leave);
      });
    } finally {
      this.#over = true;
      clearTimeout(welcome);
      stop.removeEventListener("abort", leave);
      this.line.cancel();
    }
  }

  #leave(): void {
    this.#say({ case: "goodbye", value: { reason: "stopped" } });
    this.#flush();
    this.#leaving = true;
    this.line.finish();
    setTimeout(() => this.#end({ kind: "stopped" }), GOODBYE_MS).unref();
  }

  #lost(why: StatusObject): void {
    // What was received before the end still counts: a welcome, a notice.
    for (const frame of this.#inbox.splice(0)) {
      if (frame.body.case !== "prompt") this.#note(frame);
    }
    if (this.#leaving) this.#end({ kind: "stopped" });
    // What was announced is no failure, whatever its status.
    else if (this.#announced) this.#end({ kind: this.#announced });
    else if (why.code === status.OK) this.#end({ kind: "closed" });
    else this.#end({ kind: "lost", status: why });
  }

  #say(body: Body): void {
    this.#outbox.push(frameOf(body));
  }

  #flush(): void {
    const frames = this.#outbox;
    this.#outbox = [];
    if (this.#leaving || this.#over) return;
    for (let at = 0; at < frames.length; at += MAX_FRAMES) {
      this.line.write(frames.slice(at, at + MAX_FRAMES));
    }
  }

  #hello(): void {
    this.#say({
      case: "hello",
      value: {
        revision: REVISION,
        minRevision: REVISION,
        software: SOFTWARE,
        instanceId: this.settings.instance,
        lane: this.settings.lane,
        resumeSessionId: this.sessionId,
        workers: this.settings.workers,
      },
    });
    this.#flush();
  }

  #receive(frames: readonly ServerFrame[]): void {
    for (const frame of frames) {
      if (frame.body.case === "heartbeat") {
        this.#say({ case: "pong", value: { nonce: frame.body.value.nonce } });
      } else {
        this.#inbox.push(frame);
      }
    }
    if (this.#working) this.#flush();
    else void this.#work();
  }

  /** Lets what came meanwhile in between, where bots think for long. */
  async #work(): Promise<void> {
    this.#working = true;
    let since = performance.now();
    for (let frame = this.#inbox.shift(); frame; frame = this.#inbox.shift()) {
      if (frame.body.case === "prompt") this.#think(frame.body.value);
      else this.#note(frame);
      if (performance.now() - since > HOLD_BACK_MS && this.#inbox.length > 0) {
        this.#flush();
        await new Promise(setImmediate);
        if (this.#over) return;
        since = performance.now();
      }
    }
    this.#working = false;
    this.#flush();
  }

  #note({ body }: ServerFrame): void {
    switch (body.case) {
      case "welcome":
        this.#welcome(body.value);
        return;
      case "seat": {
        const seat = this.seats.assign(body.value);
        if (seat) this.#handles.set(body.value.handle, seat);
        return;
      }
      case "ended": {
        const seat = this.#handles.get(body.value.handle);
        this.#handles.delete(body.value.handle);
        if (seat) this.seats.end(seat, body.value);
        return;
      }
      case "withdrawn":
        this.#withdraw(body.value);
        return;
      case "notice":
        this.#heed(body.value);
        return;
      case "result":
        if (!body.value.accepted) this.#refused(body.value);
        return;
      default:
      // Entries and snapshots, which nobody asked for, and what later revisions add.
    }
  }

  #welcome(welcome: Welcome): void {
    this.welcomed = true;
    this.sessionId = welcome.sessionId;
    if (!welcome.resumed) this.seats.forget();
    this.log.info(
      `connected to ${welcome.software || this.settings.address} as` +
        ` ${welcome.bot || "an unnamed bot"}, lane ${this.settings.lane},` +
        ` workers ${welcome.workers}${welcome.resumed ? ", session resumed" : ""}`,
    );
  }

  #refused({ handle, seq, attempt, reason, message }: AnswerResult): void {
    const table = this.#handles.get(handle)?.match.table ?? "?";
    this.log.warning(
      `table ${table} decision ${seq} attempt ${attempt}: ${reason} ${message}`,
    );
  }

  #heed({ kind, milliseconds, reason, message }: Notice): void {
    if (kind === NoticeKind.DRAINING) {
      this.#announced = "drained";
      this.log.info(`the service goes down in ${milliseconds} ms`);
    } else if (kind === NoticeKind.SUPERSEDED) {
      this.#announced = "superseded";
    } else if (kind === NoticeKind.PROTOCOL) {
      this.log.warning(`bad frame: ${reason} ${message}`);
    } else {
      this.log.debug(`notice ${NoticeKind[kind] ?? kind}`);
    }
  }

  /** Answers at once, or when the bot's promise is kept. */
  #think(prompt: WireView): void {
    const seat = this.#handles.get(prompt.handle);
    if (!seat) {
      this.log.warning(`a prompt for the unknown handle ${prompt.handle}`);
      return;
    }
    const view = new View(prompt, seat.match);
    try {
      const answer = ask(seat.bot, view);
      if (answer instanceof Promise) void this.#wait(view, answer);
      else this.#outbox.push(answerFrame(view, answer));
    } catch (error) {
      this.#blame(view, error);
    }
  }

  async #wait(view: View, answer: Promise<unknown>): Promise<void> {
    const thought: Thought = { view, dropped: false };
    this.#thoughts.add(thought);
    try {
      const frame = answerFrame(view, await answer);
      if (!thought.dropped) this.#outbox.push(frame);
    } catch (error) {
      if (!thought.dropped) this.#blame(view, error);
    }
    this.#thoughts.delete(thought);
    this.#flush();
  }

  /** Thinking on is useless; after DEFAULTED the table waits to hear its end. */
  #withdraw({ handle, seq, reason }: Withdrawn): void {
    for (const thought of this.#thoughts) {
      const { view } = thought;
      if (view.handle !== handle || view.seq !== seq) continue;
      thought.dropped = true;
      this.#thoughts.delete(thought);
      if (reason === DEFAULTED) this.#outbox.push(noAnswer(view, "it came too late"));
    }
  }

  /** The bot has no answer: say so at once, for silence would cost its clock. */
  #blame(view: View, error: unknown): void {
    const why =
      error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const plain = error instanceof BadAnswer || !(error instanceof Error);
    this.log.error(`the bot failed: ${view}\n${plain ? why : error.stack}`);
    this.#outbox.push(noAnswer(view, why));
    if (this.settings.onError === "stop") {
      this.#fail(new BotFault(`stopped at the bot's first error: ${view}`));
    }
  }
}

const frameOf = (body: Body): ClientFrame => create(ClientFrameSchema, { body });
