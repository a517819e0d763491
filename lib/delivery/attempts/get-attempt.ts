import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { loadMessages } from '@/lib/delivery/engine/messages';
import type { AttemptDetail } from '@/lib/delivery/schema';
import { maySeeSecrets } from '@/lib/orgs/may-see-secrets';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import type { RowOf } from '@/lib/platform/sql/statement';
import { findAttempt } from './attempt-sql';
import { type AttemptRow, presentAttempt, presentRequest, redactorOfAttempt } from './present-attempt';

interface AttemptPath {
  projectId: string;
  deliveryId: string;
  attemptId: string;
}

/** Reads an attempt with the request that was sent. @throws AppError not_found, also after retention has removed it */
export async function getAttempt(
  caller: PersonCaller | KeyCaller,
  { projectId, deliveryId, attemptId }: AttemptPath,
): Promise<AttemptDetail> {
  const row = await findAttempt.first(database(), projectId, deliveryId, attemptId);
  if (row === undefined) throw notFound('attempt');
  const { event_id: eventId, incoming_event_id: incomingEventId, url } = row;
  const [message] = (await loadMessages(database(), [{ eventId, incomingEventId }])).values();
  const { started_at: startedAt, request_parts: requestParts } = row;
  const hides = maySeeSecrets(caller) ? null : { chosen: row.signature_header };
  return {
    ...presentAttempt(toAttemptRow(row), hides && redactorOfAttempt(requestParts, message, hides)),
    request: presentRequest({ url, startedAt, requestParts }, message, hides),
  };
}

function toAttemptRow(row: RowOf<typeof findAttempt.columns>): AttemptRow {
  return {
    id: row.id,
    attemptNumber: row.attempt_number,
    startedAt: row.started_at,
    requestParts: row.request_parts,
    durationMs: row.duration_ms,
    responseStatus: row.response_status,
    responseBody: row.response_body,
    responseHeaders: row.response_headers,
    remoteAddress: row.remote_address,
    dnsUs: row.dns_us,
    connectUs: row.connect_us,
    tlsUs: row.tls_us,
    firstByteUs: row.first_byte_us,
    error: row.error,
    succeeded: row.succeeded,
  };
}
