import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import type { status } from "@grpc/grpc-js";
import { ConnectResponseSchema } from "../src/generated/ohhell/v1/arena_pb.js";
import type { ClientFrame } from "../src/generated/ohhell/v1/frames_pb.js";
import { BotFault, connect, listen, Refused } from "../src/index.js";
import { Logger } from "../src/logger.js";
import {
  BOTS,
  clientFrames,
  comparable,
  type Script,
  scripts,
  serverFrames,
  settingsOf,
} from "./scripts.js";
import { Arena, type Caller, clientOf, dial } from "./service.js";

const log = new Logger("error", () => {});

async function hear(caller: Caller, count: number): Promise<ClientFrame[]> {
  const frames: ClientFrame[] = [];
  while (frames.length < count) {
    const frame = await caller.heard.next();
    assert(frame !== "over", "the bot ended the stream");
    frames.push(frame);
  }
  return frames;
}

async function ending(run: Promise<void>): Promise<string> {
  try {
    await run;
    return "stopped";
  } catch (error) {
    if (error instanceof BotFault) return "fault";
    if (error instanceof Refused) return "refused";
    throw error;
  }
}

async function follow(
  script: Script,
  run: Promise<void>,
  stop: AbortController,
  next: (wanted: string | undefined) => Promise<Caller>,
): Promise<void> {
  let caller: Caller | undefined;
  for (const [number, step] of script.steps.entries()) {
    if (step.stream) caller = await next(step.stream.authorization);
    assert(caller);
    if (step.bot) {
      const wanted = clientFrames(step.bot);
      const heard = await hear(caller, wanted.length);
      for (const { body } of heard) {
        if (body.case === "hello") assert.notEqual(body.value.software, "");
      }
      assert.deepEqual(comparable(heard), comparable(wanted), `step ${number}`);
    }
    if (step.service) caller.say(...serverFrames(step.service));
    if (step.raw) {
      const bytes = Buffer.from(step.raw, "base64");
      caller.say(...fromBinary(ConnectResponseSchema, bytes).frames);
    }
    if (step.close) caller.close(step.close as keyof typeof status);
    if (step.stop) stop.abort();
    if (step.ends === "stopped") {
      if (caller.authorization === undefined) caller.close("OK");
      assert.equal(await caller.heard.next(), "over");
    }
    if (step.ends) {
      assert.equal(await ending(run), step.ends);
      return;
    }
  }
  assert.fail("the script has no end");
}

for (const script of scripts) {
  test(`a bot that calls follows the script ${script.name}`, async () => {
    const arena = await new Arena().start();
    const stop = new AbortController();
    const settings = settingsOf(script, { address: arena.address });
    const run = connect(BOTS[script.bot], settings, { stop: stop.signal, log });
    run.catch(() => {});
    try {
      await follow(script, run, stop, async (wanted) => {
        const stream = await arena.streams.next();
        assert.equal(stream.authorization, wanted);
        return stream;
      });
    } finally {
      stop.abort();
      arena.stop();
    }
  });
}

for (const script of scripts.filter(({ dialled }) => dialled)) {
  test(`a bot that is called follows the script ${script.name}`, async () => {
    const stop = new AbortController();
    const settings = settingsOf(script, { serve: "127.0.0.1:0" });
    let run = Promise.resolve();
    const address = await new Promise<string>((ready) => {
      run = listen(BOTS[script.bot], settings, { stop: stop.signal, log, ready });
    });
    run.catch(() => {});
    const client = clientOf(address);
    try {
      await follow(script, run, stop, () => dial(client, String(settings.lane)));
    } finally {
      stop.abort();
      client.close();
    }
  });
}
