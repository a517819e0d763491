import { algorithmOf, SCHEMES } from '@/lib/delivery/signature-schemes-policy';
import { eventTypeOf, typeInMembers } from '@/lib/incoming/event-type-policy';
import type { IncomingEventReceipt } from '@/lib/incoming/schema';
import { readMembersOf } from '@/lib/incoming/signatures/body-members';
import { type Challenge, signedChallengeOf, unsignedChallengeOf } from '@/lib/incoming/signatures/challenge';
import { providerEventIdOf, type ReceivedRequest, verifySignature } from '@/lib/incoming/signatures/verify-signature';
import { admitIntake } from '@/lib/orgs/admit-intake';
import { chooseCellOfProject, inShareOfProject } from '@/lib/orgs/tenant';
import { hasSeveralCells, onceInCell } from '@/lib/platform/cells/current-cell';
import type { ClientInfo } from '@/lib/platform/client-info';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { storedRateLimitKey } from '@/lib/platform/count-in-transaction';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { GroupCommit } from '@/lib/platform/group-commit/group-commit';
import { withHmacsOfLarge } from '@/lib/platform/hmac-in-pieces';
import { newId } from '@/lib/platform/ids';
import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import { declareCounter } from '@/lib/platform/metrics';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { MAX_HOPS, readVia, VIA_HEADER, type Via } from '@/lib/platform/net/via';
import { inRowTurn } from '@/lib/platform/row-turn';
import { countThread } from '@/lib/platform/thread-turns';
import { traceStoring } from '@/lib/platform/tracing/tracer';
import { type IngressSource, refreshIngressSource } from './find-ingress-source';
import { findFirstRequest, spendBudget } from './ingress-sql';
import { keptHeaders } from './kept-request';
import { type RequestRow, storeRequests } from './store-requests-sql';

/** The shortest time between two reads of a source that unverified requests cause. */
const RECHECK_MS = 1_000;
/** A source may change again while its request is being stored. */
const MAX_TRIES = 3;
const MAX_CONTENT_TYPE_CHARS = 255;
/** How much of a body is read for its type, unless it has been parsed for its id. */
const TYPED_BYTES = 1024;

interface IngressRequest extends ReceivedRequest {
  /** The token of the URL. */
  token: string;
  headers: HeaderPairs;
  /** As it was sent, without the question mark; null without one. */
  query: string | null;
  client: ClientInfo;
}

type Received = { receipt: IncomingEventReceipt } | { challenge: Challenge };

/**
 * Receives a request to a source: verifies its signature, stores it, and queues its forwards. Resolves after the commit
 * (docs/specification.md#incoming-events). A provider's retry gets the response to its first request.
 *
 * @throws AppError conflict for a forward of its own, and after too many (refuseLoop); invalid_signature, after the
 *   request was kept as unverified, or, as each with a large body, only counted; not_found when the source has been disabled meanwhile; rate_limited
 *   beyond the bytes of its owner; overloaded, unavailable
 */
export async function receiveRequest(source: IngressSource, request: IngressRequest, at: Date): Promise<Received> {
  const unsigned = unsignedChallengeOf(source.provider, request.query);
  if (unsigned !== null) {
    await refreshIngressSource(source, request.token);
    countRequest('challenged');
    return { challenge: unsigned };
  }
  const via = readVia(request.header(VIA_HEADER));
  refuseLoop(source.id, via);
  if (hasSeveralCells()) await chooseCellOfProject(source.projectId);
  let current = source;
  const checked = verify(current, request, at);
  // A small body does not wait for a turn of the event loop.
  let verified = checked instanceof Promise ? await checked : checked;
  // A new secret must work at once, even if the cached source is older. No statement checks this when a large body is refused.
  if (verified === false && (isLarge(request.body) || isStale(current))) {
    const { version } = current;
    current = await refreshIngressSource(source, request.token);
    if (current.version !== version) verified = await verify(current, request, at);
  }
  let hasSpent = false;
  let owner: string | null = null;
  let isCurrentForChallenge = false;
  for (let tries = 1; ; tries += 1) {
    if (verified !== false && !hasSpent) {
      hasSpent = true;
      await spendOnCascade(source, via, request.body.length, at);
    }
    const challenge = verified === true ? challengeTo(current, request, at) : null;
    if (challenge !== null && isCurrentForChallenge) {
      countRequest('challenged');
      return { challenge };
    }
    if (challenge !== null) {
      // Storing a request checks that the source is current. A challenge stores nothing.
      current = await refreshIngressSource(source, request.token);
      verified = await verify(current, request, at);
      isCurrentForChallenge = true;
      continue;
    }
    if (verified === false && isLarge(request.body)) {
      if (owner === null) admitIntake(current.projectId, request.body.length);
      throw refuseSignature(false, current, request, at);
    }
    const row = countThread(request.client.ownerId, () => toRow(current, request, verified, at));
    const size = row.body.length + row.headers.length;
    owner ??= admitIntake(current.projectId, size);
    const { isCurrent, stored } = await traceStoring(
      'store incoming event',
      row.traceparent,
      { 'eds.incoming_event.id': row.id },
      (isLarge(row.body) ? largeIngress() : ingress()).add(row, { owner, lane: row.sourceId, size }),
    );
    if (isCurrent) return { receipt: await settle(row, stored, current, request, at) };
    if (tries >= MAX_TRIES) throw new AppError('unavailable', 'Send this request again.', { retryAfterSeconds: 1 });
    current = await refreshIngressSource(source, request.token);
    verified = await verify(current, request, at);
  }
}

const ingress = () => onceInCell('ingress', () => new GroupCommit(storeRequests, 'incoming events'));

const isStale = ({ readAt }: IngressSource) => performance.now() - readAt > RECHECK_MS;

/**
 * Large bodies are stored one at a time, and never keep others waiting. Their places bound how many wait (lib/http/large-bodies.ts).
 */
const largeIngress = () =>
  onceInCell(
    'large-ingress',
    () => new GroupCommit(storeRequests, 'incoming events', { inFlight: 1, weight: Number.POSITIVE_INFINITY }),
  );

const isLarge = ({ length }: Buffer) => length > LARGE_BODY_BYTES;

/** @returns null for a source without signatures; a promise for a large body */
function verify(source: IngressSource, request: IngressRequest, at: Date): boolean | null | Promise<boolean> {
  const { form } = source;
  if (form === null) return null;
  const secrets = validSecrets(source, at);
  if (isLarge(request.body)) {
    const tenant = request.client.ownerId ?? source.projectId;
    return withHmacsOfLarge(tenant, (hmac) => verifySignature({ ...form, secrets }, request, at, hmac));
  }
  return countThread(request.client.ownerId, () => verifySignature({ ...form, secrets }, request, at));
}

function validSecrets({ secrets }: IngressSource, at: Date): string[] {
  return secrets.flatMap(({ secret, untilMs }) => (untilMs > at.getTime() ? [secret] : []));
}

/** Answers with the secret that signed the challenge: during a rotation, the provider may have either. */
function challengeTo(source: IngressSource, request: IngressRequest, at: Date): Challenge | null {
  const { form, provider } = source;
  if (form === null) return null;
  const isSignedWith = (secret: string) => verifySignature({ ...form, secrets: [secret] }, request, at);
  return signedChallengeOf(provider, request, () => validSecrets(source, at).find(isSignedWith));
}

function toRow(source: IngressSource, request: IngressRequest, verified: boolean | null, at: Date): RequestRow {
  const { body } = request;
  const { form } = source;
  // Nobody has vouched for the id of an unverified request.
  const providerEventId = verified === false ? null : providerEventIdOf(source.provider, request, form?.idHeader);
  return {
    id: newId(),
    sourceId: source.id,
    version: source.version,
    verified,
    providerEventId,
    query: request.query,
    contentType: request.header('content-type')?.slice(0, MAX_CONTENT_TYPE_CHARS) ?? null,
    eventType:
      eventTypeOf(request.headers, () => body.toString('utf8', 0, TYPED_BYTES)) ??
      typeInMembers(readMembersOf(body) ?? {}),
    headers: keptHeaders(request.headers, form, request.token),
    body,
    createdAt: at,
    traceparent: request.client.traceparent ?? null,
    clientAddress: request.client.ipAddress,
    unverifiedPerHour: config().SOURCE_UNVERIFIED_PER_HOUR,
  };
}

async function settle(
  row: RequestRow,
  stored: boolean,
  source: IngressSource,
  request: IngressRequest,
  at: Date,
): Promise<IncomingEventReceipt> {
  if (row.verified === false) throw refuseSignature(stored, source, request, at);
  if (stored) {
    countRequest('stored');
    return { id: row.id, createdAt: row.createdAt.toISOString() };
  }
  const first = await inShareOfProject(source.projectId, () =>
    findFirstRequest.first(database(), { source: row.sourceId, providerEventId: row.providerEventId }),
  );
  // Retention deleted the first request between the two statements; the next retry is stored.
  if (first === undefined) throw new AppError('unavailable', 'Send this request again.', { retryAfterSeconds: 1 });
  // After a lost connection, an earlier try may have stored this very request.
  countRequest(first.id === row.id ? 'stored' : 'repeated');
  return { id: first.id, createdAt: first.created_at.toISOString() };
}

/** Counts a request without a valid signature, and makes its error. */
function refuseSignature(isKept: boolean, source: IngressSource, request: IngressRequest, at: Date): AppError {
  countRequest(isKept ? 'unverified' : 'unverified_dropped');
  return new AppError('invalid_signature', describeRefusal(source, request, at));
}

/** Says to a provider why its request is refused, as far as it may know: whoever has the URL may send requests. */
function describeRefusal(source: IngressSource, request: IngressRequest, at: Date): string {
  const { form } = source;
  if (validSecrets(source, at).length === 0) return 'This source has no secret yet.';
  if (form !== null && algorithmOf(form) === 'token') return 'The token isn’t this source’s secret, or is missing.';
  const hasTime = form !== null && SCHEMES[form.provider].read(request, form).seconds !== null;
  return `The signature doesn’t match this source’s secret${hasTime ? ', or its timestamp isn’t within five minutes of now' : ''}.`;
}

type IngressResult = 'stored' | 'repeated' | 'unverified' | 'unverified_dropped' | 'challenged';

const requests = declareCounter({
  name: 'ingress_requests_total',
  help: 'Requests to sources: stored, repeated by the provider, without a valid signature (kept or dropped), challenged',
  labelNames: ['result'],
});

/** Counts a request to a source of this process, by its result. */
export function countRequest(result: IngressResult): void {
  requests().inc({ result });
}

/** What one event may cause by deliveries that come back: 1,000 deliveries of up to 64 KiB, or fewer larger ones. */
const BUDGET = 1_000;
const BYTES_OF_UNIT = 64 * 1024;
/** Longer than the retries of a delivery last. */
const BUDGET_MS = 7 * DAY_MS;

/** @throws AppError conflict when a source has forwarded the event before, or the event has passed through too much */
function refuseLoop(sourceId: string, { ids, hops }: Via): void {
  if (ids.includes(sourceId)) {
    throw new AppError(
      'conflict',
      'This source has already received and forwarded this event: its forwards form a loop.',
    );
  }
  if (hops.length < MAX_HOPS) return;
  throw new AppError('conflict', `This event has already passed through ${MAX_HOPS} endpoints and sources.`);
}

/**
 * Counts what a request that comes from our own delivery causes toward the event that began it. Others cost nothing.
 * @throws AppError conflict when that event has caused too much; rate_limited when many such requests wait
 */
async function spendOnCascade(
  source: { id: string; projectId: string },
  { root }: Via,
  bytes: number,
  at: Date,
): Promise<void> {
  if (root === null) return;
  const now = at.getTime();
  const cost = Math.max(1, Math.ceil(bytes / BYTES_OF_UNIT));
  const key = storedRateLimitKey({ name: 'cascade', key: root });
  const { points } = await inShareOfProject(source.projectId, () =>
    inRowTurn(key, () => spendBudget.one(database(), { key, source: source.id, cost, endsAt: now + BUDGET_MS, now })),
  );
  if (points <= BUDGET) return;
  throw new AppError('conflict', `One event may cause ${BUDGET.toLocaleString('en-US')} further deliveries at most.`);
}

interface Window {
  /** By performance.now(). */
  endsAt: number;
  count: number;
}

/**
 * Counts a request to a source in one-minute windows. Each web process keeps its own count: a shared one would cost a
 * statement per request. Synchronous, because a promise would cost as much as verifying the signature.
 * @throws AppError rate_limited beyond SOURCE_REQUESTS_PER_MINUTE
 */
export function limitSource(sourceId: string): void {
  const windows = once('source-limiter', () => new Map<string, Window>());
  const now = performance.now();
  const window = windows.get(sourceId);
  if (window === undefined || window.endsAt <= now) {
    dropEnded(windows, now);
    windows.set(sourceId, { endsAt: now + MINUTE_MS, count: 1 });
    return;
  }
  window.count += 1;
  if (window.count <= config().SOURCE_REQUESTS_PER_MINUTE) return;
  throw new AppError('rate_limited', 'This source is receiving too many requests. Send this one again later.', {
    retryAfterSeconds: Math.max(1, Math.ceil((window.endsAt - now) / SECOND_MS)),
  });
}

/**
 * Windows are in the order in which they end, so this leaves only those of the last minute: one per source with a request.
 */
function dropEnded(windows: Map<string, Window>, now: number): void {
  for (const [id, { endsAt }] of windows) {
    if (endsAt > now) return;
    windows.delete(id);
  }
}
