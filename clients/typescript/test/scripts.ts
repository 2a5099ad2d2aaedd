/** The scripts of tests/conformance/frames; README.md there is the format. */
import { readdirSync, readFileSync } from "node:fs";
import { fromJson, type JsonValue, toBinary } from "@bufbuild/protobuf";
import {
  type ClientFrame,
  ClientFrameSchema,
  type ServerFrame,
  ServerFrameSchema,
} from "../src/generated/ohhell/v1/frames_pb.js";
import { Bot, defaults, lowestFirst, type Settings, type View } from "../src/index.js";

// Seen from dist/test.
export const FOLDER = new URL("../../../../tests/conformance/frames/", import.meta.url);

export type Step = Partial<{
  stream: { authorization?: string };
  bot: JsonValue[];
  service: JsonValue[];
  raw: string;
  close: string;
  stop: object;
  ends: "stopped" | "fault" | "refused";
}>;

export interface Script {
  name: string;
  bot: "lowest" | "fails";
  settings: Partial<{
    instance: string;
    lane: number;
    workers: number;
    token: string;
    on_error: "concede" | "stop";
  }>;
  dialled: boolean;
  steps: Step[];
}

export const scripts: Script[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".json"))
  .map((file) => ({
    name: file.replace(/\.json$/, ""),
    ...JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")),
  }));

export function settingsOf(script: Script, where: Partial<Settings>): Settings {
  const { on_error, ...given } = script.settings;
  return {
    ...defaults(),
    ...given,
    ...where,
    log: "error",
    onError: on_error ?? "concede",
  };
}

export class Lowest extends Bot {
  bid(view: View): number | Promise<number> {
    return Math.min(...view.legalBids);
  }

  play(view: View): number {
    return lowestFirst(view.legalCards, view)[0];
  }
}

export class Fails extends Lowest {
  override bid(): number {
    throw new Error("the script says so");
  }
}

export const BOTS = { lowest: () => new Lowest(), fails: () => new Fails() };

export const serverFrames = (frames: JsonValue[]): ServerFrame[] =>
  frames.map((frame) => fromJson(ServerFrameSchema, frame));

export const clientFrames = (frames: JsonValue[]): ClientFrame[] =>
  frames.map((frame) => fromJson(ClientFrameSchema, frame));

/** Without what each library says in its own words, in an order of its own. */
export function comparable(frames: ClientFrame[]): string[] {
  for (const { body } of frames) {
    if (body.case === "hello") body.value.software = "";
    if (body.case === "answer") body.value.note = "";
  }
  return frames
    .map((frame) => Buffer.from(toBinary(ClientFrameSchema, frame)).toString("hex"))
    .sort();
}
