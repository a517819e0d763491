import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Readable } from 'node:stream';
import { config } from '@/lib/platform/config/config';
import { randomToken } from '@/lib/platform/crypto';
import { once } from '@/lib/platform/globals';
import { MAX_PEER_NONCES, PEER_SIGNATURE_MS } from '@/lib/tunnel/relay/limits';

/** The path prefix of requests between web processes. No token starts with a tilde. */
const PREFIX = '/t/~peer/';

/** The header with the id of the connection that the receiver is expected to hold. */
export const CONNECTION_HEADER = 'tunnel-peer-connection';

/** Returns the path at which a web process accepts requests to a tunnel from another one. */
export function peerPath(tunnelId: string): string {
  return `${PREFIX}${tunnelId}`;
}

/** Returns the id of the tunnel in such a path; null for any other path. */
export function tunnelOfPeerPath(path: string): string | null {
  return path.startsWith(PREFIX) ? path.slice(PREFIX.length) : null;
}

/** The header with the hash of the request's head, so that the signature is verified before a byte of the body is read. */
export const HEAD_HEADER = 'tunnel-peer-head';

/** Returns the value of HEAD_HEADER for the JSON of a request's head. */
export function hashHead(json: Buffer): string {
  return hash('sha256', json, 'hex');
}

/** What a signature covers: everything but the bodies, which stream. */
interface Signed {
  method: string;
  path: string;
  tunnelId: string;
  connectionId: string;
  /** By `hashHead`. */
  headHash: string;
}

const TIME = 'tunnel-peer-time';
const NONCE = 'tunnel-peer-nonce';
const SIGNATURE = 'tunnel-peer-signature';

/** Returns headers that prove to another web process that a request comes from one of its peers. */
export function signPeerRequest(signed: Signed, nowMs = Date.now()): Record<string, string> {
  const [secret] = config().AUTH_SECRET ?? [];
  if (secret === undefined) throw new Error('AUTH_SECRET is not set');
  const time = String(nowMs);
  const nonce = randomToken(16);
  return { [TIME]: time, [NONCE]: nonce, [SIGNATURE]: signatureOf(secret, signed, time, nonce).toString('base64url') };
}

/** Verifies the headers of `signPeerRequest`. Each signature is valid once, for a minute. */
export class PeerVerifier {
  /** Nonces of valid signatures with the time at which each may be forgotten, in order of arrival. */
  private readonly seen = new Map<string, number>();

  constructor(private readonly maxNonces = MAX_PEER_NONCES) {}

  isValid(headers: Record<string, string | string[] | undefined>, signed: Signed, nowMs = Date.now()): boolean {
    const [time, nonce, signature] = [headers[TIME], headers[NONCE], headers[SIGNATURE]].map(String);
    if (time === undefined || nonce === undefined || signature === undefined) return false;
    if (!/^\d{1,15}$/.test(time) || Math.abs(nowMs - Number(time)) > PEER_SIGNATURE_MS) return false;
    const given = Buffer.from(signature, 'base64url');
    const isSigned = (config().AUTH_SECRET ?? []).some((secret) => {
      const expected = signatureOf(secret, signed, time, nonce);
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
    return isSigned && this.isFirst(nonce, Number(time) + PEER_SIGNATURE_MS, nowMs);
  }

  private isFirst(nonce: string, expiresMs: number, nowMs: number): boolean {
    for (const [old, untilMs] of this.seen) {
      if (untilMs >= nowMs) break;
      this.seen.delete(old);
    }
    if (this.seen.has(nonce) || this.seen.size >= this.maxNonces) return false;
    // Each is forgotten as soon as possible: while no more fit, requests of other processes are refused.
    this.seen.set(nonce, expiresMs);
    return true;
  }
}

function signatureOf(secret: string, signed: Signed, time: string, nonce: string): Buffer {
  const { method, path, tunnelId, connectionId, headHash } = signed;
  const parts = [method, path, tunnelId, connectionId, headHash, time, nonce];
  return createHmac('sha256', keyOf(secret)).update(parts.join('\n'), 'utf8').digest();
}

/** Deriving a key takes 0.3 ms, and strangers send signatures, too. One for each secret of this process. */
const keys = () => once('peer-keys', () => new Map<string, Buffer>());

function keyOf(secret: string): Buffer {
  const known = keys().get(secret);
  if (known !== undefined) return known;
  const key = Buffer.from(hkdfSync('sha256', secret, 'event-delivery-service', 'tunnel peer request', 32));
  keys().set(secret, key);
  return key;
}

const LENGTH_BYTES = 4;

/** Returns JSON text after its length, which together start the body of a message between web processes. */
export function withLength(json: Buffer): Buffer {
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}

/** Reads what `withLength` wrote from the start of a stream, and leaves the rest in it. @throws Error when it is missing */
export async function readWithLength(stream: Readable, maxBytes: number): Promise<Buffer> {
  const length = (await readExactly(stream, LENGTH_BYTES)).readUInt32BE();
  if (length === 0 || length > maxBytes) throw new Error('the message of the other web process has no valid length');
  return readExactly(stream, length);
}

function readExactly(stream: Readable, bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      detach();
      reject(new Error('the connection to the other web process was lost'));
    };
    const attempt = () => {
      const read = stream.read(bytes) as Buffer | null;
      if (read === null) return;
      if (read.length < bytes) return fail();
      detach();
      resolve(read);
    };
    const detach = () => stream.off('readable', attempt).off('end', fail).off('close', fail).off('error', fail);
    if (stream.destroyed) return fail();
    stream.on('readable', attempt).on('end', fail).on('close', fail).on('error', fail);
    attempt();
  });
}
