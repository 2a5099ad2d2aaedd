import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { type ChannelCredentials, credentials, ServerCredentials } from "@grpc/grpc-js";
import { SettingsError } from "./errors.js";
import type { Settings } from "./settings.js";
import type { End } from "./stream.js";

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

/**
 * Which certificate may be missing. A service that misses one, or does not accept it, takes
 * the connection and, without a word, hangs up after the handshake.
 */
export function advice({ tls, certificate }: Settings, end: End): string {
  const hungUp =
    end.kind === "lost" && end.status.details.includes("Failed to connect");
  if (!tls || !hungUp) return "";
  return certificate
    ? `; if the service wants a certificate of its callers, it does not accept ${certificate}`
    : "; if the service wants its callers to show a certificate," +
        " give --certificate and --key";
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
