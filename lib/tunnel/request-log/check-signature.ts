import { timingSafeEqual } from 'node:crypto';
import { signWebhook, tryOpenEndpointSecret } from '@/lib/delivery/credentials';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { prisma } from '@/lib/platform/prisma/client';
import type { TunnelRequestDetail } from '@/lib/tunnel/schema';

/** A logged request, as far as its signature covers it. */
interface SignedRequest {
  headers: HeaderPairs;
  /** Null when it was not kept entirely. */
  body: Buffer | null;
  receivedAt: Date;
}

/** As in the libraries of Standard Webhooks. */
const TOLERANCE_MS = 5 * MINUTE_MS;
/** A sender gives one signature for each of its secrets. A visitor may give thousands. */
const MAX_SIGNATURES = 10;

/** Returns whether a request has a signature. */
export function isSigned(headers: HeaderPairs): boolean {
  return headerOf(headers, 'webhook-signature') !== null;
}

/**
 * Verifies the signature of a request as its receiver would, and says what was checked (Standard Webhooks 1.0). Reads ten signatures.
 * @param keys the signing keys of the endpoints that have the URL of the request
 */
export function checkSignature(request: SignedRequest, keys: readonly Buffer[]): TunnelRequestDetail['signature'] {
  const { headers, body, receivedAt } = request;
  const given = headerOf(headers, 'webhook-signature');
  if (given === null) return null;
  const id = headerOf(headers, 'webhook-id');
  const seconds = headerOf(headers, 'webhook-timestamp');
  if (id === null || seconds === null || !/^\d{1,12}$/.test(seconds)) {
    return { verified: false, detail: 'The header webhook-id or webhook-timestamp is missing or malformed.' };
  }
  if (keys.length === 0) return { verified: null, detail: 'No endpoint of this project has this URL.' };
  if (body === null) return { verified: null, detail: 'The body was not kept entirely, so it cannot be checked.' };
  const expected = signWebhook(keys, id, Number(seconds), body).split(' ');
  if (!given.split(' ', MAX_SIGNATURES).some((each) => expected.some((right) => isSame(each, right)))) {
    return { verified: false, detail: "It is not the endpoint's: another secret signed it, or the body was changed." };
  }
  if (Math.abs(receivedAt.getTime() - Number(seconds) * SECOND_MS) > TOLERANCE_MS) {
    return { verified: false, detail: 'It is right, but older than five minutes. Someone may have sent it again.' };
  }
  return { verified: true, detail: "It matches the endpoint's secret, the id, the timestamp and the body." };
}

function headerOf(headers: HeaderPairs, name: string): string | null {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? null;
}

function isSame(given: string, expected: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(expected);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** More endpoints with the URL of one tunnel are unusual. */
const MAX_ENDPOINTS = 20;

/**
 * Returns the signing secrets, present and previous, of the endpoints of a project, without those of its customers, that deliver to a tunnel.
 * @param url the public URL of the tunnel, with a slash at its end
 */
export async function listSigningSecrets(projectId: string, url: string, at: Date): Promise<string[]> {
  const rows = await prisma().endpoint.findMany({
    // Customers have hundreds of thousands, whose URLs no index has.
    where: { projectId, deletedAt: null, customerId: null, url: { startsWith: url.replace(/\/$/, '') } },
    select: { id: true, secretEncrypted: true, previousSecretEncrypted: true, previousSecretExpiresAt: true },
    orderBy: { id: 'desc' },
    take: MAX_ENDPOINTS,
  });
  return rows.flatMap(({ id, secretEncrypted, previousSecretEncrypted, previousSecretExpiresAt }) => {
    const isPreviousValid = previousSecretExpiresAt !== null && previousSecretExpiresAt > at;
    const sealed = [secretEncrypted, isPreviousValid ? previousSecretEncrypted : null];
    return sealed.flatMap((each) => {
      const secret = each === null ? null : tryOpenEndpointSecret(each, id);
      return secret === null ? [] : [secret];
    });
  });
}
