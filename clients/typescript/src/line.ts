import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  type ClientDuplexStream,
  type ServerDuplexStream,
  type ServiceDefinition,
  type StatusObject,
  status,
} from "@grpc/grpc-js";
import {
  ArenaService,
  BotService,
  type ConnectRequest,
  ConnectRequestSchema,
  type ConnectResponse,
  ConnectResponseSchema,
  type PlayRequest,
  PlayRequestSchema,
  type PlayResponse,
  PlayResponseSchema,
} from "./generated/ohhell/v1/arena_pb.js";
import type { ClientFrame, ServerFrame } from "./generated/ohhell/v1/frames_pb.js";

/** `ArenaService` for gRPC: bots dial in. */
export const ARENA = {
  Connect: {
    path: `/${ArenaService.typeName}/Connect`,
    requestStream: true,
    responseStream: true,
    requestSerialize: (message: ConnectRequest) =>
      Buffer.from(toBinary(ConnectRequestSchema, message)),
    requestDeserialize: (bytes: Buffer) => fromBinary(ConnectRequestSchema, bytes),
    responseSerialize: (message: ConnectResponse) =>
      Buffer.from(toBinary(ConnectResponseSchema, message)),
    responseDeserialize: (bytes: Buffer) => fromBinary(ConnectResponseSchema, bytes),
  },
} as const satisfies ServiceDefinition;

/** `BotService` for gRPC: bots are dialled. */
export const BOT = {
  Play: {
    path: `/${BotService.typeName}/Play`,
    requestStream: true,
    responseStream: true,
    requestSerialize: (message: PlayRequest) =>
      Buffer.from(toBinary(PlayRequestSchema, message)),
    requestDeserialize: (bytes: Buffer) => fromBinary(PlayRequestSchema, bytes),
    responseSerialize: (message: PlayResponse) =>
      Buffer.from(toBinary(PlayResponseSchema, message)),
    responseDeserialize: (bytes: Buffer) => fromBinary(PlayResponseSchema, bytes),
  },
} as const satisfies ServiceDefinition;

/** One call between a bot and the service, whoever made it. */
export interface Line {
  /** Where frames and the end are to be told. */
  listen(
    heard: (frames: ServerFrame[]) => void,
    over: (why: StatusObject) => void,
  ): void;
  write(frames: ClientFrame[]): void;
  /** Has said everything. */
  finish(): void;
  /** Ends the call at once. */
  cancel(): void;
}

/** A call that the bot made. */
export class DialledIn implements Line {
  constructor(
    private readonly call: ClientDuplexStream<ConnectRequest, ConnectResponse>,
  ) {}

  listen(
    heard: (frames: ServerFrame[]) => void,
    over: (why: StatusObject) => void,
  ): void {
    this.call.on("data", (message: ConnectResponse) => heard(message.frames));
    this.call.on("error", () => {}); // its status says it all
    this.call.on("status", over);
  }

  write(frames: ClientFrame[]): void {
    this.call.write(create(ConnectRequestSchema, { frames }));
  }

  finish(): void {
    this.call.end();
  }

  cancel(): void {
    this.call.cancel();
  }
}

/** A call that the bot took. */
export class Dialled implements Line {
  constructor(private readonly call: ServerDuplexStream<PlayRequest, PlayResponse>) {}

  listen(
    heard: (frames: ServerFrame[]) => void,
    over: (why: StatusObject) => void,
  ): void {
    const end = (code: status) =>
      over({ code, details: "", metadata: this.call.metadata });
    this.call.on("data", (message: PlayRequest) => heard(message.frames));
    this.call.on("end", () => end(status.OK));
    this.call.on("cancelled", () => end(status.CANCELLED));
    this.call.on("error", () => end(status.UNAVAILABLE));
  }

  write(frames: ClientFrame[]): void {
    this.call.write(create(PlayResponseSchema, { frames }));
  }

  finish(): void {
    // The call ends when the caller has heard it, and closes its side.
  }

  cancel(): void {
    this.call.end();
  }
}
