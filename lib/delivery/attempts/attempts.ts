import type { ProjectCaller } from '@/lib/audit/caller';
import { findAttempt } from '@/lib/delivery/deliveries/deliveries-sql';
import { readLargeBody } from '@/lib/delivery/engine/large-bodies';
import { loadMessages, sentBody, withQuery } from '@/lib/delivery/engine/messages';
import { parseHeaderLines, parseRequestParts, requestHeaders } from '@/lib/delivery/engine/request-headers';
import type { AttemptResult, Message } from '@/lib/delivery/engine/types';
import type { Attempt, AttemptDetail, AttemptTiming, Exchanged, SentRequest } from '@/lib/delivery/schema';
import { inThreadTurnOfProject, maySeeSecrets } from '@/lib/orgs/tenant';
import { SECOND_MS } from '@/lib/platform/clock';
import { readHeavily } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { LARGE_ANSWER_BYTES, LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import { redactQuery, secretsInQuery } from '@/lib/platform/net/credential-names';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { inCamelCase, presentBody } from '@/lib/platform/present';
import { type RedactSignatures, redactSignatureHeaders, signatureRedactor, signaturesIn } from './redact-signatures';

interface AttemptPath {
  projectId: string;
  deliveryId: string;
  attemptId: string;
}

/** Reads an attempt with the request that was sent. @throws AppError not_found, also after retention has removed it */
export async function getAttempt(
  caller: ProjectCaller,
  { projectId, deliveryId, attemptId }: AttemptPath,
): Promise<AttemptDetail> {
  const found = await findAttempt.first(database(), { project: projectId, delivery: deliveryId, attempt: attemptId });
  if (found === undefined) throw notFound('attempt');
  const row = inCamelCase(found);
  const { eventId, incomingEventId, url, startedAt, requestParts } = row;
  const [message] = (await loadMessages(database(), [{ eventId, incomingEventId }], LARGE_ANSWER_BYTES)).values();
  const chosen = [...row.signatureHeaders, ...ownSignatureHeader(requestParts)];
  const hides = maySeeSecrets(caller) ? null : { chosen, redact: redactorOfAttempt(requestParts, message, chosen) };
  const show = (shown: Message | undefined) =>
    inThreadTurnOfProject(caller, projectId, () => ({
      ...presentAttempt(row, hides?.redact ?? null),
      request: presentRequest({ url, startedAt, requestParts }, shown, hides),
    }));
  if (message?.largeBytes === undefined) return show(message);
  const { largeBytes } = message;
  return readHeavily(async () => show(await withBodyStart(message, largeBytes)), 'body');
}

/** Reads as much of a body as an attempt shows. */
async function withBodyStart({ largeBytes: _size, ...message }: Message, size: number): Promise<Message> {
  const body = await readLargeBody(message.id, Math.min(size, LARGE_BODY_BYTES));
  return { ...message, body, ...(size > LARGE_BODY_BYTES ? { largeBytes: size } : {}) };
}

type ExchangeResult = Omit<AttemptResult, 'retryAfter' | 'startedAt'>;

/** A stored attempt. */
export interface AttemptRow extends Omit<ExchangeResult, 'timing'>, TimingRow {
  id: string;
  attemptNumber: number;
  startedAt: Date;
}

interface TimingRow {
  dnsUs: number | null;
  connectUs: number | null;
  tlsUs: number | null;
  firstByteUs: number | null;
}

/**
 * Converts a row to an attempt of the API, without its request.
 * @param redact redacts the signatures where the receiver repeats them; null shows them
 */
export function presentAttempt(row: AttemptRow, redact: RedactSignatures | null): Attempt {
  return {
    id: row.id,
    attemptNumber: row.attemptNumber,
    startedAt: row.startedAt.toISOString(),
    ...presentExchange({ ...row, timing: row, ...(redact === null ? {} : withoutSignatures(row, redact)) }),
  };
}

function withoutSignatures({ responseBody, responseHeaders }: AttemptRow, redact: RedactSignatures) {
  return {
    responseBody: responseBody === null ? null : redact.text(responseBody),
    responseHeaders: responseHeaders === null ? null : redact.bytes(responseHeaders),
  };
}

/** Converts the result of a request to what the API shows of it. */
export function presentExchange(result: ExchangeResult): Exchanged {
  const stored = result.responseHeaders === null ? null : parseHeaderLines(result.responseHeaders);
  return {
    durationMs: result.durationMs,
    responseStatus: result.responseStatus,
    responseBody: result.responseBody,
    responseHeaders: stored?.headers ?? null,
    responseHeadersTruncated: stored?.isCut ?? false,
    remoteAddress: result.remoteAddress,
    // Versions that did not measure stored no parts either, and an attempt that was not sent has none.
    timing: result.requestParts === null ? null : presentTiming(result.timing, result.remoteAddress),
    error: result.error,
    succeeded: result.succeeded,
  };
}

function presentTiming(
  { dnsUs, connectUs, tlsUs, firstByteUs }: TimingRow,
  remoteAddress: string | null,
): AttemptTiming {
  const isConnected = firstByteUs !== null || remoteAddress !== null;
  return {
    reusedConnection: isConnected && dnsUs === null && connectUs === null,
    dnsMs: toMs(dnsUs),
    connectMs: toMs(connectUs),
    tlsMs: toMs(tlsUs),
    firstByteMs: toMs(firstByteUs),
  };
}

/** One digit after the point for a long time, two for one below a millisecond. */
function toMs(us: number | null): number | null {
  if (us === null) return null;
  return us < 1_000 ? Math.round(us / 10) / 100 : Math.round(us / 100) / 10;
}

interface Sent {
  /** Null if the target's URL has changed since. */
  url: string | null;
  startedAt: Date;
  /** As stored with the attempt; null if it was not sent, or by a version that did not store them. */
  requestParts: string | null;
}

/** Hides the signatures of a message from those who must not see them. */
interface SignatureRules {
  /** The headers that the source of an incoming event checks or has checked; none for an event. */
  chosen: readonly string[];
  redact: RedactSignatures;
}

/**
 * Puts the request of an attempt together, header by header as it was sent. Credentials are redacted. Null if that cannot be done.
 *
 * @param hides redacts the signatures and the secrets of the query too; null shows them
 */
export function presentRequest(
  { url, startedAt, requestParts }: Sent,
  message: Message | undefined,
  hides: SignatureRules | null,
): SentRequest | null {
  if (requestParts === null || message === undefined) return null;
  const { largeBytes, query = null } = message;
  const parts = { ...parseRequestParts(requestParts), timestamp: Math.floor(startedAt.getTime() / SECOND_MS) };
  const body = sentBody(message, parts.sendsData);
  const headers: HeaderPairs = [
    ...(url === null ? [] : [['host', new URL(url).host] satisfies [string, string]]),
    ['connection', 'keep-alive'],
    ...Object.entries(requestHeaders(message, parts)),
    ['content-length', String(largeBytes ?? body.length)],
  ];
  return {
    method: 'POST',
    url: url === null ? null : withQuery(url, hides === null || query === null ? query : redactQuery(query)),
    headers: hides === null ? headers : redactSignatureHeaders(headers, hides.chosen, hides.redact),
    ...presentBody(body, largeBytes !== undefined),
    bodyTruncated: largeBytes !== undefined,
  };
}

/** Returns the header of a signature of the profile CUSTOM that an attempt sent. */
export function ownSignatureHeader(requestParts: string | null): string[] {
  const beside = requestParts === null ? null : parseRequestParts(requestParts).beside;
  return beside === null || beside === 'SVIX' ? [] : [beside.header];
}

/**
 * Returns what redacts the signatures of an attempt, and the secrets of its query, where its receiver repeats them.
 * @param chosen see `SignatureRules`
 */
export function redactorOfAttempt(
  requestParts: string | null,
  message: Message | undefined,
  chosen: readonly string[],
): RedactSignatures {
  const parts = requestParts === null ? null : parseRequestParts(requestParts);
  const { signature = null, beside = null, credential = {} } = parts ?? {};
  const stored: HeaderPairs = [
    ...Object.entries(credential),
    ...(signature === null ? [] : [['webhook-signature', signature] satisfies [string, string]]),
    ...(beside === null || beside === 'SVIX' ? [] : [[beside.header, beside.value] satisfies [string, string]]),
  ];
  const forwarded = message?.kind === 'incoming event' ? Object.entries(message.headers) : [];
  const query = message?.kind === 'incoming event' ? (message.query ?? '') : '';
  const names = [...chosen, ...ownSignatureHeader(requestParts)];
  return signatureRedactor(signaturesIn([...stored, ...forwarded], names), secretsInQuery(query));
}
