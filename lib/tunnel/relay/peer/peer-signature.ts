import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { config } from '@/lib/platform/config/config';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import { MAX_PEER_NONCES, PEER_SIGNATURE_MS } from '@/lib/tunnel/relay/limits';

/** What a signature covers: everything but the bodies, which stream. */
interface Signed {
  method: string;
  path: string;
  tunnelId: string;
  connectionId: string;
  /** The JSON of the request's head. */
  head: Buffer;
}

const [TIME, NONCE, SIGNATURE] = ['tunnel-peer-time', 'tunnel-peer-nonce', 'tunnel-peer-signature'] as const;

/** Returns headers that prove to another web process that a request comes from one of its peers. */
export function signPeerRequest(signed: Signed, nowMs = Date.now()): Record<string, string> {
  const [secret] = config().AUTH_SECRET ?? [];
  if (secret === undefined) throw new Error('AUTH_SECRET is not set');
  const [time, nonce] = [String(nowMs), randomToken(16)];
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
  const { method, path, tunnelId, connectionId, head } = signed;
  const parts = [method, path, tunnelId, connectionId, sha256(head.toString('latin1')).toString('hex'), time, nonce];
  return createHmac('sha256', keyOf(secret)).update(parts.join('\n'), 'utf8').digest();
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'event-delivery-service', 'tunnel peer request', 32));
}
