import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { type ChannelCredentials, credentials, ServerCredentials } from "@grpc/grpc-js";
import { SettingsError } from "./errors.js";
import type { Settings } from "./settings.js";

/** The credentials for calls to the service. */
export function credentialsOf(settings: Settings): ChannelCredentials {
  if (!settings.tls) return credentials.createInsecure();
  const roots = settings.caFile ? authoritiesIn(settings.caFile) : null;
  if (!settings.certificate) return credentials.createSsl(roots);
  const { key, certificate } = pairOf(settings);
  return credentials.createSsl(roots, key, certificate);
}

/** The credentials for those who call. */
export function shownTo(settings: Settings): ServerCredentials {
  if (!settings.certificate) return ServerCredentials.createInsecure();
  const { key, certificate } = pairOf(settings);
  return ServerCredentials.createSsl(null, [
    { private_key: key, cert_chain: certificate },
  ]);
}

/** What is shown to the other end; the key is the certificate's. */
function pairOf(settings: Settings): { key: Buffer; certificate: Buffer } {
  try {
    const key = readFileSync(settings.key);
    const certificate = readFileSync(settings.certificate);
    // Nobody would be told later that they do not fit.
    createSecureContext({ cert: certificate, key });
    return { key, certificate };
  } catch (error) {
    const why = (error as Error).message;
    throw new SettingsError(
      `${settings.certificate} and ${settings.key} are no certificate with its key (${why})`,
    );
  }
}

function authoritiesIn(file: string): Buffer {
  try {
    const pem = readFileSync(file);
    if (pem.includes("-----BEGIN CERTIFICATE-----")) return pem;
  } catch (error) {
    throw new SettingsError(`${file}: ${(error as Error).message}`);
  }
  throw new SettingsError(`${file} holds no certificate`);
}
