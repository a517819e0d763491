import { createHash } from 'node:crypto';
import { unknownCustomer } from '@/lib/customers/customers';
import { invalidKey, readOnlyKey, refuseUnlessActive, touchKey } from '@/lib/keys/authenticate-key';
import { inShareOfProject } from '@/lib/orgs/tenant';
import { database } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { unavailable } from '@/lib/platform/group-commit/hot-connection';
import { newId } from '@/lib/platform/ids';
import { countThread } from '@/lib/platform/thread-turns';
import { traceStoring } from '@/lib/platform/tracing/tracer';
import { type FirstEvent, findFirstEvent, findPayload } from './events-sql';
import { ingestBatcher } from './ingest-batcher';
import type { IngestOutcome, IngestRow } from './ingest-sql';
import { isSameJson } from './same-json';
import type { EventSummary } from './schema';
import { countMismatch } from './types/count-mismatches';
import { checkEvent, type EventVerdict, isAllowed, mayCheckEvents, refusalOf } from './types/event-rules';

interface NewEvent {
  keyHash: Buffer;
  /** The project of the path; null where the key alone names it. */
  projectId: string | null;
  type: string;
  /** JSON text of `data`, exactly as it was sent. */
  payload: string;
  /** The id or uid of its customer; null for an event of the project itself. */
  customer: string | null;
  idempotencyKey: string | null;
  /** The W3C trace context of the request; null without one. */
  traceparent: string | null;
  clientAddress: string | null;
}

interface SendResult {
  /** The project of the key. */
  projectId: string;
  event: EventSummary;
  replayed: boolean;
}

const DATA_LIMIT_BYTES = 256 * 1024;
/** Comparing the values of longer texts takes the thread a fraction of a second. */
const MAX_COMPARED_CHARS = 16 * 1024;

/** Refuses data over 256 KiB (docs/specification.md#events). @throws AppError payload_too_large */
export function refuseLargeData(payload: string): void {
  if (Buffer.byteLength(payload) > DATA_LIMIT_BYTES) {
    throw new AppError('payload_too_large', 'data is larger than 256 KiB.');
  }
}

/**
 * Stores an event and queues its deliveries; resolves after the commit (docs/specification.md#events). If the idempotency key
 * was used before, returns the first event, with `replayed: true`.
 * @throws AppError validation_failed for a customer that the project does not have; invalid_api_key, api_key_expired, api_key_revoked, not_found, read_only_key,
 * idempotency_conflict, unknown_event_type, schema_mismatch, rate_limited, overloaded, unavailable
 */
export async function sendEvent(event: NewEvent, at: Date): Promise<SendResult> {
  const row = toRow(event, at);
  const known = ingestBatcher().projectOf(row.keyHash);
  // Without waiting for a project that stores everything.
  let verdict = known !== null && mayCheckEvents(known) ? await checkEvent(known, row) : null;
  let outcome = await store({ ...row, isChecked: verdict !== null && isAllowed(verdict) });
  const projectId = refuseBadKey(outcome, event);
  if (event.customer !== null && outcome.customerId === null) throw unknownCustomer();
  if (!outcome.stored && outcome.policy !== null && (verdict === null || !isAllowed(verdict))) {
    verdict ??= await checkEvent(projectId, row, true);
    if (isAllowed(verdict)) outcome = await store({ ...row, isChecked: true });
    else if (row.idempotencyKey === null) throw refusalOf(verdict);
  }
  if (outcome.stored) {
    if (verdict !== null && verdict.errors.length > 0) countMismatch(projectId, row.type, at);
    return { projectId, event: { id: row.id, type: row.type, createdAt: at.toISOString() }, replayed: false };
  }
  const first = await inShareOfProject(projectId, (ownerId) => findFirst(projectId, ownerId, row, outcome.customerId));
  if (first === null) throw refusalOrRetry(verdict);
  // After a lost connection, an earlier try may have stored this very event.
  return { projectId, event: first, replayed: first.id !== row.id };
}

function store(row: IngestRow): Promise<IngestOutcome> {
  return traceStoring('store event', row.traceparent, { 'eds.event.id': row.id }, ingestBatcher().add(row));
}

/** The error for an event whose Idempotency-Key no event has: it was not stored, or retention has deleted the first one meanwhile. */
function refusalOrRetry(verdict: EventVerdict | null): AppError {
  if (verdict !== null && !isAllowed(verdict)) return refusalOf(verdict);
  return new AppError('unavailable', 'Send this event again.', { retryAfterSeconds: 1 });
}

function toRow(event: NewEvent, at: Date): IngestRow {
  const { type, payload, idempotencyKey } = event;
  const bodyHash =
    idempotencyKey === null ? null : createHash('sha256').update(type).update('\0').update(payload).digest();
  return { ...event, id: newId(), bodyHash, createdAt: at, isChecked: false };
}

/** Refuses in the order of every route: 401, 404 for another project, 403 (docs/specification.md#order-of-checks). */
function refuseBadKey(outcome: IngestOutcome, { projectId, clientAddress }: NewEvent): string {
  const { keyId, keyState, keyProjectId, keyScope } = outcome;
  if (keyId === null || keyState === null || keyProjectId === null) throw invalidKey();
  if (keyState === 'moved') throw unavailable();
  refuseUnlessActive(keyState);
  touchKey(keyId, clientAddress);
  if (projectId !== null && projectId !== keyProjectId) throw notFound('project');
  if (keyScope !== 'READ_WRITE') throw readOnlyKey();
  return keyProjectId;
}

async function findFirst(
  projectId: string,
  ownerId: string,
  row: IngestRow,
  customer: string | null,
): Promise<EventSummary | null> {
  const { idempotencyKey, bodyHash } = row;
  const first = await findFirstEvent.first(database(), { project: projectId, idempotencyKey, bodyHash, customer });
  if (first === undefined) return null;
  if (!first.same_customer) {
    throw new AppError('idempotency_conflict', 'This Idempotency-Key was used for another customer.');
  }
  if (!first.same_body && !(await hasSameValue(projectId, ownerId, first, row))) {
    throw new AppError('idempotency_conflict', 'This Idempotency-Key was used with a different body.');
  }
  return { id: first.id, type: first.type, createdAt: first.created_at.toISOString() };
}

/** A retry may spell the same value differently, since maps of some languages have no order. */
async function hasSameValue(projectId: string, ownerId: string, first: FirstEvent, row: IngestRow): Promise<boolean> {
  if (first.type !== row.type || row.payload.length > MAX_COMPARED_CHARS) return false;
  const found = await findPayload.first(database(), { project: projectId, event: first.id });
  if (found === undefined || found.payload.length > MAX_COMPARED_CHARS) return false;
  return countThread(ownerId, () => isSameJson(found.payload, row.payload));
}
