import type { Sql } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { countMetric } from '@/lib/platform/metrics-counters';

const MAX_TRIES = { event: 10, mail: 24 };
const MAX_ERROR_CHARS = 500;

/*
 * 5 s, 15 s, 45 s … at most an hour: an event is given up after about four hours, a mail after a day, as mail servers do.
 * A row that is given up stays, DEAD, for the operator to see (SPEC 8.1).
 *
 * Of two loops that met the same failure one counts it: the row is no longer due then. (A mail is leased, so never due.)
 */
const PUT_OFF_SQL = `
  UPDATE outbox SET
    attempts = attempts + 1,
    last_error = $2,
    available_at = now() + least(interval '5 seconds' * power(3, least(attempts, 10)), interval '1 hour'),
    status = CASE WHEN attempts + 1 >= $3 THEN 'DEAD'::"OutboxStatus" ELSE status END,
    dead_at = CASE WHEN attempts + 1 >= $3 THEN now() END
  WHERE id = $1 AND status = 'PENDING' AND (kind = 'MAIL' OR available_at <= now())
  RETURNING status`;

/** Notes that an outbox row could not be dealt with: it comes again later and later, and in the end is DEAD. */
export async function putOff(sql: Sql, outboxId: string, kind: keyof typeof MAX_TRIES, error: unknown): Promise<void> {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_CHARS);
  const { rows } = await sql.query<{ status: string }>(PUT_OFF_SQL, [outboxId, message, MAX_TRIES[kind]]);
  if (rows[0]?.status !== 'DEAD') return;
  log().error({ outboxId, kind, reason: message }, 'an outbox row is given up');
  countMetric('outbox_dead_total', kind);
}
