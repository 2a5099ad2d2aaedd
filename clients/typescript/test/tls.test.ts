import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { credentials, status } from "@grpc/grpc-js";
import { SettingsError } from "../src/index.js";
import { Lowest } from "./scripts.js";
import { clientOf, dial, dialOnce, serving } from "./service.js";

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

test("a key of another certificate is refused", async () => {
  const { certificate } = certified();
  const { key } = certified();
  await assert.rejects(
    serving(() => new Lowest(), { certificate, key }),
    (error: Error) =>
      error instanceof SettingsError &&
      error.message.includes("are no certificate with its key"),
  );
});
