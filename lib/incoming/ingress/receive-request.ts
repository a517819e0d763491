import type { IncomingEventReceipt } from '@/lib/incoming/schema';
import { challengeOf, providerEventIdOf } from '@/lib/incoming/signatures/provider-event-id';
import type { ReceivedRequest } from '@/lib/incoming/signatures/received';
import { verifySignature } from '@/lib/incoming/signatures/verify-signature';
import { admitIntake } from '@/lib/orgs/admit-intake';
import { inShareOfProject } from '@/lib/orgs/find-tenant';
import type { ClientInfo } from '@/lib/platform/client-info';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { GroupCommit } from '@/lib/platform/group-commit/group-commit';
import { newId } from '@/lib/platform/ids';
import { declareCounter } from '@/lib/platform/metrics';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { readVia, VIA_HEADER } from '@/lib/platform/net/via';
import { countThread } from '@/lib/platform/thread-turns';
import { traceStoring } from '@/lib/platform/tracing/tracer';
import { findIngressSource, type IngressSource } from './find-ingress-source';
import { findFirstRequest } from './ingress-sql';
import { keptHeaders } from './kept-request';
import { refuseLoop, spendOnCascade } from './refuse-loop';
import { type RequestRow, storeRequests } from './store-requests-sql';

/** The shortest time between two reads of a source that unverified requests cause. */
const RECHECK_MS = 1_000;
/** A source may change again while its request is being stored. */
const MAX_TRIES = 3;
const MAX_CONTENT_TYPE_CHARS = 255;

interface IngressRequest extends ReceivedRequest {
  /** The token of the URL. */
  token: string;
  headers: HeaderPairs;
  /** As it was sent, without the question mark; null without one. */
  query: string | null;
  client: ClientInfo;
}

type Received = { receipt: IncomingEventReceipt } | { challenge: string };

/**
 * Receives a request to a source: verifies its signature, stores it, and queues its forwards. Resolves after the commit
 * (docs/specification.md#incoming-events). A provider's retry gets the response to its first request.
 *
 * @throws AppError conflict for a forward of its own, and after too many (refuse-loop.ts); invalid_signature, after the
 *   request was kept as unverified, or only counted; not_found when the source has been disabled meanwhile; rate_limited
 *   beyond the bytes of its owner; overloaded, unavailable
 */
export async function receiveRequest(source: IngressSource, request: IngressRequest, at: Date): Promise<Received> {
  const via = readVia(request.header(VIA_HEADER));
  refuseLoop(source.id, via);
  let current = source;
  let verified = verify(current, request, at);
  // A new secret must work at once, even if the cached source is older.
  if (verified === false && isStale(current)) {
    current = await findIngressSource(request.token);
    verified = verify(current, request, at);
  }
  if (verified !== false) await spendOnCascade(source, via, request.body.length, at);
  let owner: string | null = null;
  for (let tries = 1; ; tries += 1) {
    const challenge = verified === true ? challengeOf(current.provider, request) : null;
    if (challenge !== null) {
      countRequest('challenged');
      return { challenge };
    }
    const row = countThread(request.client.ownerId, () => toRow(current, request, verified, at));
    const size = row.body.length + row.headers.length;
    owner ??= admitIntake(current.projectId, size);
    const { isCurrent, stored } = await traceStoring(
      'store incoming event',
      row.traceparent,
      { 'eds.incoming_event.id': row.id },
      ingress().add(row, { owner, lane: row.sourceId, size }),
    );
    if (isCurrent) return { receipt: await settle(row, stored, current.projectId) };
    if (tries >= MAX_TRIES) throw new AppError('unavailable', 'Send this request again.', { retryAfterSeconds: 1 });
    current = await findIngressSource(request.token);
    verified = verify(current, request, at);
  }
}

const ingress = () => once('ingress', () => new GroupCommit(storeRequests, 'incoming events'));

const isStale = ({ readAt }: IngressSource) => performance.now() - readAt > RECHECK_MS;

/** @returns null for a source without signatures */
function verify({ provider, secrets, signature }: IngressSource, request: IngressRequest, at: Date): boolean | null {
  if (provider === 'NONE') return null;
  const valid = secrets.flatMap(({ secret, untilMs }) => (untilMs > at.getTime() ? [secret] : []));
  return countThread(request.client.ownerId, () =>
    verifySignature({ ...signature, provider, secrets: valid }, request, at),
  );
}

function toRow(source: IngressSource, request: IngressRequest, verified: boolean | null, at: Date): RequestRow {
  return {
    id: newId(),
    sourceId: source.id,
    version: source.version,
    verified,
    // Nobody has vouched for the id of an unverified request.
    providerEventId: verified === false ? null : providerEventIdOf(source.provider, request),
    query: request.query,
    contentType: request.header('content-type')?.slice(0, MAX_CONTENT_TYPE_CHARS) ?? null,
    headers: keptHeaders(request.headers, source.signature.header),
    body: request.body,
    createdAt: at,
    traceparent: request.client.traceparent ?? null,
    unverifiedPerHour: config().SOURCE_UNVERIFIED_PER_HOUR,
  };
}

async function settle(row: RequestRow, stored: boolean, projectId: string): Promise<IncomingEventReceipt> {
  if (row.verified === false) {
    countRequest(stored ? 'unverified' : 'unverified_dropped');
    throw new AppError(
      'invalid_signature',
      'The signature doesn’t match this source’s secret, or its timestamp is too old.',
    );
  }
  if (stored) {
    countRequest('stored');
    return { id: row.id, createdAt: row.createdAt.toISOString() };
  }
  const first = await inShareOfProject(projectId, () =>
    findFirstRequest.first(database(), row.sourceId, row.providerEventId),
  );
  // Retention deleted the first request between the two statements; the next retry is stored.
  if (first === undefined) throw new AppError('unavailable', 'Send this request again.', { retryAfterSeconds: 1 });
  // After a lost connection, an earlier try may have stored this very request.
  countRequest(first.id === row.id ? 'stored' : 'repeated');
  return { id: first.id, createdAt: first.created_at.toISOString() };
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
