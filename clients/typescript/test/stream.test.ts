import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { status } from "@grpc/grpc-js";
import { cut } from "../src/decision.js";
import {
  type Answer,
  ServerFrameSchema,
} from "../src/generated/ohhell/v1/frames_pb.js";
import {
  type Bot,
  BotFault,
  connect,
  defaults,
  EndReason,
  GivenUp,
  listen,
  Refused,
  type Settings,
  SettingsError,
  type View,
} from "../src/index.js";
import { Logger } from "../src/logger.js";
import { Lowest } from "./scripts.js";
import { Arena, type Caller, clientOf, dial, dialOnce, serving } from "./service.js";

type Body = MessageInitShape<typeof ServerFrameSchema>["body"];
const frame = (body: Body & object) => create(ServerFrameSchema, { body });
const welcome = (resumed = false) =>
  frame({ case: "welcome", value: { sessionId: "s1", workers: 4, resumed } });
const seat = (handle: number, table: string) =>
  frame({
    case: "seat",
    value: { handle, table, rulesHash: "h", rules: { players: 3 } },
  });
const asked = (handle: number, seq: number) =>
  frame({
    case: "prompt",
    value: { handle, seq, ask: 1, attempt: 1, legalBids: [0, 1] },
  });
const withdrawn = (handle: number, seq: number, reason: string) =>
  frame({ case: "withdrawn", value: { handle, seq, reason } });
const beat = (nonce: number) => frame({ case: "heartbeat", value: { nonce } });

/** A service with one bot that has connected. */
async function met(
  newBot: () => Bot,
  act: (stream: Caller, arena: Arena, run: Promise<void>) => Promise<void>,
  more: Partial<Settings> = {},
): Promise<string> {
  const arena = await new Arena().start();
  const stop = new AbortController();
  let said = "";
  const log = new Logger("error", (line) => {
    said += line;
  });
  const settings = { ...defaults(), address: arena.address, workers: 4, ...more };
  const run = connect(newBot, settings, { stop: stop.signal, log });
  run.catch(() => {});
  try {
    const stream = await arena.streams.next();
    await stream.heard.next();
    stream.say(welcome());
    await act(stream, arena, run);
  } finally {
    stop.abort();
    arena.stop();
  }
  return said;
}

async function answer(stream: Caller): Promise<Answer> {
  const next = await stream.heard.next();
  assert(next !== "over" && next.body.case === "answer");
  return next.body.value;
}

async function pong(stream: Caller): Promise<void> {
  const next = await stream.heard.next();
  assert(next !== "over" && next.body.case === "pong", JSON.stringify(next));
}

/** Thinks about the first table until its gate is opened. */
class Gated extends Lowest {
  open: () => void = () => {};
  readonly gate = new Promise<void>((resolve) => {
    this.open = resolve;
  });

  override bid(view: View) {
    if (view.match.table !== "t1") return view.handle;
    return this.gate.then(() => view.handle);
  }
}

test("heartbeats and other tables are answered while a bot thinks", async () => {
  const bot = new Gated();
  await met(
    () => bot,
    async (stream) => {
      stream.say(seat(1, "t1"), seat(2, "t2"), asked(1, 7), asked(2, 7), beat(3));
      const kinds = [await stream.heard.next(), await stream.heard.next()].map(
        (next) => (next === "over" ? next : next.body.case),
      );
      assert.deepEqual(kinds.sort(), ["answer", "pong"]);
      bot.open();
      assert.deepEqual((await answer(stream)).action, { case: "bid", value: 1 });
    },
  );
});

test("what was withdrawn while thinking is not answered", async () => {
  const bot = new Gated();
  await met(
    () => bot,
    async (stream) => {
      stream.say(seat(1, "t1"), asked(1, 7), withdrawn(1, 7, "AMENDED"), asked(1, 8));
      stream.say(beat(1));
      await pong(stream);
      bot.open();
      assert.equal((await answer(stream)).seq, 8);
    },
  );
});

test("what expired is answered without an action, for the table waits", async () => {
  const bot = new Gated();
  await met(
    () => bot,
    async (stream) => {
      stream.say(seat(1, "t1"), asked(1, 7), withdrawn(1, 7, "DEFAULTED"));
      const late = await answer(stream);
      assert.equal(late.seq, 7);
      assert.equal(late.action.case, undefined);
      bot.open();
      stream.say(beat(1));
      await pong(stream);
    },
  );
});

test("a bot is told of its match once, also when the stream is lost", async () => {
  const told: string[] = [];
  class Told extends Lowest {
    constructor() {
      super();
      told.push("made");
    }
    override matchStart = () => void told.push("start");
    override matchEnd = () => void told.push("end");
  }
  await met(
    () => new Told(),
    async (stream, arena) => {
      stream.say(seat(1, "t1"), asked(1, 7));
      await answer(stream);
      stream.close("UNAVAILABLE");
      const again = await arena.streams.next();
      await again.heard.next();
      const value = { handle: 9, reason: EndReason.PLAYED };
      again.say(welcome(true), seat(9, "t1"), asked(9, 8));
      await answer(again);
      again.say(frame({ case: "ended", value }), beat(1));
      await pong(again);
    },
  );
  assert.deepEqual(told, ["made", "start", "end"]);
});

test("an answer of the wrong shape is named, without a stack", async () => {
  class Forgetful extends Lowest {
    override bid(): number {
      return undefined as unknown as number;
    }
  }
  const said = await met(
    () => new Forgetful(),
    async (stream) => {
      stream.say(seat(1, "t1"), asked(1, 7));
      assert.equal((await answer(stream)).action.case, undefined);
    },
  );
  assert.match(said, /bid returned undefined, which is not a whole number/);
  assert.doesNotMatch(said, /\n {4}at /);
});

test("a bot whose promise is broken concedes, or stops the process", async () => {
  class Broken extends Lowest {
    override bid() {
      return Promise.reject(new Error("lost my cards"));
    }
  }
  const said = await met(
    () => new Broken(),
    async (stream) => {
      stream.say(seat(1, "t1"), asked(1, 7));
      assert.equal((await answer(stream)).note, "Error: lost my cards");
    },
  );
  assert.match(said, /table t1 seat 0; decision 7/);
  await met(
    () => new Broken(),
    async (stream, _arena, run) => {
      stream.say(seat(1, "t1"), asked(1, 7));
      await assert.rejects(run, BotFault);
    },
    { onError: "stop" },
  );
});

test("a bot that cannot be made has no answers, and others go on", async () => {
  let made = 0;
  const said = await met(
    () => {
      if (++made === 1) throw new Error("no memory");
      return new Lowest();
    },
    async (stream) => {
      stream.say(seat(1, "t1"), seat(2, "t2"), asked(1, 7), asked(2, 8));
      const [failed, good] = [await answer(stream), await answer(stream)];
      assert.equal(failed.action.case, undefined);
      assert.equal(failed.note, "BadAnswer: no bot could be made: Error: no memory");
      assert.equal(good.action.case, "bid");
    },
  );
  assert.match(said, /no bot could be made for table t1: Error: no memory\n {4}at /);
});

test("a broken promise at the start of a match is only told", async () => {
  class Late extends Lowest {
    override async matchStart() {
      throw new Error("not ready");
    }
  }
  const said = await met(
    () => new Late(),
    async (stream) => {
      stream.say(seat(1, "t1"), asked(1, 7));
      assert.equal((await answer(stream)).action.case, "bid");
    },
  );
  assert.match(said, /matchStart threw at table t1: Error: not ready/);
});

test("a note is cut to what the wire allows", () => {
  assert.equal(cut(`a${"ä".repeat(200)}`), `a${"ä".repeat(127)}`);
});

test("a bot gives up when its patience is over, and ends at once when stopped", async () => {
  const stop = new AbortController();
  const log = new Logger("error", () => {});
  const nowhere = { ...defaults(), address: "127.0.0.1:1" };
  const running = { stop: stop.signal, log };
  const patient = connect(() => new Lowest(), nowhere, running);
  const impatient = connect(() => new Lowest(), { ...nowhere, patienceS: 0 }, running);
  await assert.rejects(impatient, GivenUp);
  stop.abort();
  await patient;
});

test("a lane is a number and has one caller", async () => {
  const served = await serving(() => new Lowest());
  const client = clientOf(served.address);
  const first = await dial(client, "3");
  const hello = await first.heard.next();
  assert(hello !== "over" && hello.body.case === "hello");
  assert.equal(hello.body.value.lane, 3);
  const [, taken] = await dialOnce(client, "3");
  assert.equal(taken, status.RESOURCE_EXHAUSTED);
  for (const lane of ["-1", "256", "x", ""]) {
    const [, refusal] = await dialOnce(client, lane);
    assert.equal(refusal, status.INVALID_ARGUMENT, lane);
  }
  served.stop.abort();
  first.close("OK");
  await served.run;
  client.close();
});

test("a port that is taken is named", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as { port: number };
  const settings = { ...defaults(), serve: `127.0.0.1:${port}` };
  const stop = new AbortController().signal;
  await assert.rejects(
    listen(() => new Lowest(), settings, { stop, ready: () => {} }),
    (error: Error) =>
      error instanceof SettingsError &&
      error.message.includes("address already in use"),
  );
  taken.close();
});

test("every failure has its exit status", () => {
  const failures = [BotFault, SettingsError, Refused, GivenUp];
  assert.deepEqual(
    failures.map((failure) => new failure().status),
    [1, 2, 2, 3],
  );
});
