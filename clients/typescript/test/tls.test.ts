import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { credentials, ServerCredentials, status } from "@grpc/grpc-js";
import { connect, defaults, GivenUp, SettingsError } from "../src/index.js";
import { Logger } from "../src/logger.js";
import { Lowest } from "./scripts.js";
import { Arena, clientOf, dial, dialOnce, serving } from "./service.js";

/** The files of a certificate for 127.0.0.1 that vouches for itself, and of its key. */
function certified() {
  const folder = mkdtempSync(join(tmpdir(), "ohhell-"));
  const [certificate, key] = [join(folder, "own.pem"), join(folder, "own-key.pem")];
  const words =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1" +
    " -subj /CN=bot -addext subjectAltName=IP:127.0.0.1";
  execFileSync("openssl", [...words.split(" "), "-out", certificate, "-keyout", key], {
    stdio: "pipe",
  });
  return { certificate, key };
}

test("a bot with a certificate is called by who trusts it", async () => {
  const own = certified();
  const served = await serving(() => new Lowest(), own);
  const trust = credentials.createSsl(readFileSync(own.certificate));
  const trusting = clientOf(served.address, trust);
  const stream = await dial(trusting, "3");
  const hello = await stream.heard.next();
  assert(hello !== "over" && hello.body.case === "hello");
  assert.equal(hello.body.value.lane, 3);
  const unencrypted = clientOf(served.address);
  const [, refusal] = await dialOnce(unencrypted, "4");
  assert.equal(refusal, status.UNAVAILABLE);
  served.stop.abort();
  stream.close("OK");
  await served.run;
  trusting.close();
  unencrypted.close();
});

test("a service that wants a certificate is shown the one of the settings", async () => {
  const own = certified();
  const [certificate, key] = [readFileSync(own.certificate), readFileSync(own.key)];
  const pair = { cert_chain: certificate, private_key: key };
  const arena = await new Arena().start(
    ServerCredentials.createSsl(certificate, [pair], true),
  );
  const { address } = arena;
  const without = { ...defaults(), address, tls: true, caFile: own.certificate };
  const stop = new AbortController();
  const running = { stop: stop.signal, log: new Logger("error", () => {}) };
  const newBot = () => new Lowest();
  await assert.rejects(connect(newBot, { ...without, patienceS: 0 }, running), GivenUp);
  const run = connect(newBot, { ...without, ...own }, running);
  const stream = await arena.streams.next();
  const hello = await stream.heard.next();
  assert(hello !== "over" && hello.body.case === "hello");
  stop.abort();
  await run;
  arena.stop();
});

test("a key of another certificate is refused", async () => {
  const { certificate } = certified();
  const { key } = certified();
  const running = { stop: new AbortController().signal };
  const settings = { ...defaults(), tls: true, certificate, key };
  for (const ended of [
    serving(() => new Lowest(), { certificate, key }),
    connect(() => new Lowest(), settings, running),
  ]) {
    await assert.rejects(
      ended,
      (error: Error) =>
        error instanceof SettingsError &&
        error.message.includes("are no certificate with its key"),
    );
  }
});
