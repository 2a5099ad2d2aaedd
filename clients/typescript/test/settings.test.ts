import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readSettings, SettingsError } from "../src/index.js";

test("flags win over variables, which win over defaults", () => {
  const settings = readSettings(["--lane", "2", "--workers=5"], {
    OHHELL_BOT_LANE: "1",
    OHHELL_BOT_PATIENCE_S: "7",
    OHHELL_BOT_TOKEN: " a ",
    HOME: "/",
  });
  assert.equal(settings.lane, 2);
  assert.equal(settings.workers, 5);
  assert.equal(settings.patienceS, 7);
  assert.equal(settings.token, "a");
  assert.equal(settings.address, "127.0.0.1:50051");
  assert.notEqual(settings.instance, "");
});

for (const [words, environment, says] of [
  [
    [],
    { OHHELL_BOT_LANES: "1" },
    "OHHELL_BOT_LANES is not a setting of a bot; did you mean OHHELL_BOT_LANE?",
  ],
  [[], { OHHELL_BOT_WORKERS: "0" }, "OHHELL_BOT_WORKERS: '0' is not a whole number"],
  [["--workers", "x"], {}, "--workers: 'x' is not a whole number 1..4096"],
  [["--address", "here"], {}, "--address: 'here' is not HOST:PORT"],
  [["--address", "here:0"], {}, "--address: 'here:0' is not HOST:PORT"],
  [["--on-error", "cry"], {}, "--on-error: 'cry' is none of concede, stop"],
  [["--token", "x"], {}, "Unknown option '--token'"],
  [["stray"], {}, "Unexpected argument 'stray'"],
  [["--token-file", "missing"], {}, "--token-file: cannot read from missing"],
  [["--token-fd", "987"], {}, "--token-fd: cannot read from 987"],
  [["--ca-file", "missing"], {}, "--ca-file: there is no file missing"],
  [
    [],
    { OHHELL_BOT_TOKEN: "a", OHHELL_BOT_TOKEN_FD: "0" },
    "give the token once, not as OHHELL_BOT_TOKEN and OHHELL_BOT_TOKEN_FD",
  ],
  [["--serve", "0.0.0.0:1"], {}, "give --certificate and --key, or add --expose on"],
  [
    ["--serve", "0.0.0.0:1", "--key", "package.json"],
    {},
    "--certificate and --key: give both, or neither",
  ],
  [
    [],
    { OHHELL_BOT_CERTIFICATE: "package.json" },
    "--certificate and --key: give both, or neither",
  ],
  [[], { OHHELL_BOT_KEY: "missing" }, "OHHELL_BOT_KEY: there is no file missing"],
] as const) {
  test(`what is wrong is named: ${says}`, () => {
    assert.throws(
      () => readSettings(words, environment),
      (error: Error) => error instanceof SettingsError && error.message.includes(says),
    );
  });
}

test("a token is read from a file", () => {
  const path = join(mkdtempSync(join(tmpdir(), "ohhell-")), "token");
  writeFileSync(path, "secret\n");
  assert.equal(readSettings(["--token-file", path], {}).token, "secret");
});

test("other machines may call where that is said", () => {
  for (const serve of ["127.0.0.1:0", "[::1]:0", "localhost:0"]) {
    assert.equal(readSettings(["--serve", serve], {}).serve, serve);
  }
  const everywhere = ["--serve", "0.0.0.0:0"];
  readSettings([...everywhere, "--expose", "on"], {});
  const own = ["--certificate", "package.json", "--key", "package.json"];
  readSettings([...everywhere, ...own], {});
});

test("a certificate for the service turns encryption on", () => {
  const words = ["--certificate", "package.json"];
  const settings = readSettings(words, { OHHELL_BOT_KEY: "package.json" });
  assert(settings.tls);
  assert.equal(settings.certificate, "package.json");
  assert.equal(settings.key, "package.json");
});
