import type { OutboxEntry } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { countMetric } from '@/lib/platform/metrics-counters';
import { DUE, FRESH_TAKES } from './take-sql';

/** After this many takes of an event or tries of a mail, its row is a dead letter, which the operator sees. */
const MAX_TRIES = { event: 10, mail: 24 };
const MAX_ERROR_CHARS = 500;
const WORKER_DIED = 'Never finished: each time a worker died or lost the database.';

/** 5 s, 15 s, 45 s … at most an hour: an event becomes a dead letter after about four hours, a mail after a day. */
const LATER_SQL = (tries: string) =>
  `now() + least(interval '5 seconds' * power(3, least(${tries}, 10)), interval '1 hour')`;

/* `attempts` is the fencing token: a row that another worker has taken meanwhile is left to that worker. */
const RESCHEDULE_ENTRY_SQL = `
  UPDATE outbox SET
    last_error = $3,
    available_at = ${LATER_SQL('attempts - 1')},
    status = CASE WHEN attempts >= $4 THEN 'DEAD'::"OutboxStatus" ELSE status END,
    dead_at = CASE WHEN attempts >= $4 THEN now() END
  WHERE id = $1 AND status = 'PENDING' AND attempts = $2
  RETURNING status`;

/** Counts a try of a row that was not taken, which would have counted it. $2 the error, $3 tries at most. */
const countTrySql = (condition: string) => `
  UPDATE outbox SET
    attempts = attempts + 1,
    last_error = $2,
    available_at = ${LATER_SQL('attempts')},
    status = CASE WHEN attempts + 1 >= $3 THEN 'DEAD'::"OutboxStatus" ELSE status END,
    dead_at = CASE WHEN attempts + 1 >= $3 THEN now() END
  WHERE ${condition}
  RETURNING id, status`;

/** Selects the row that the next take of project $1 starts with. */
const RESCHEDULE_OLDEST_SQL = countTrySql(`
  id = (SELECT id FROM outbox WHERE project_id = $1 AND ${DUE} AND attempts < ${FRESH_TAKES}
        ORDER BY available_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)`);

const RESCHEDULE_MAIL_SQL = countTrySql(`id = $1 AND status = 'PENDING'`);

const MARK_DEAD_SQL = `
  UPDATE outbox SET status = 'DEAD', dead_at = now(), last_error = coalesce(last_error, $2)
  WHERE ${DUE} AND attempts >= ${FRESH_TAKES} AND attempts >= $1
  RETURNING id`;

/** Reschedules an outbox row after a failure, each time later, until it becomes a dead letter. */
export async function rescheduleEntry(sql: Sql, { id, takes }: OutboxEntry, error: unknown): Promise<void> {
  const { rows } = await sql.query<{ status: string }>(RESCHEDULE_ENTRY_SQL, [
    id,
    takes,
    messageOf(error),
    MAX_TRIES.event,
  ]);
  if (rows[0]?.status === 'DEAD') noteDead(id, 'event', messageOf(error));
}

/** Reschedules the oldest due row of a project, which could not be taken. */
export async function rescheduleOldest(sql: Sql, projectId: string, error: unknown): Promise<void> {
  const message = messageOf(error);
  const values = [projectId, message, MAX_TRIES.event];
  const { rows } = await sql.query<{ id: string; status: string }>(RESCHEDULE_OLDEST_SQL, values);
  for (const { id, status } of rows) if (status === 'DEAD') noteDead(id, 'event', message);
}

/** Reschedules a mail that could not be sent. */
export async function rescheduleMail(sql: Sql, id: string, error: unknown): Promise<void> {
  const { rows } = await sql.query<{ status: string }>(RESCHEDULE_MAIL_SQL, [id, messageOf(error), MAX_TRIES.mail]);
  if (rows[0]?.status === 'DEAD') noteDead(id, 'mail', messageOf(error));
}

/** Makes dead letters of the due rows that have been taken too often: each worker that took them died. */
export async function markExhaustedDead(sql: Sql): Promise<void> {
  const { rows } = await sql.query<{ id: string }>(MARK_DEAD_SQL, [MAX_TRIES.event, WORKER_DIED]);
  for (const { id } of rows) noteDead(id, 'event', WORKER_DIED);
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_CHARS);
}

function noteDead(outboxId: string, kind: keyof typeof MAX_TRIES, reason: string): void {
  log().error({ outboxId, kind, reason }, 'outbox row is a dead letter');
  countMetric('outbox_dead_total', kind);
}
