import type { OutboxEntry } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { countMetric } from '@/lib/platform/metrics-counters';
import { DUE, FRESH_TAKES } from './take-sql';

/** Takes of an event's row, or tries of a mail, after which it is dead. A dead row stays until retention removes it, so the operator can see it. */
const MAX_TRIES = { event: 10, mail: 24 };
const MAX_ERROR_CHARS = 500;
const WORKER_DIED = 'Taken again and again, and never finished: a worker died each time, or lost the database.';

/** 5 s, 15 s, 45 s … at most an hour: an event is given up after about four hours, a mail after a day, as mail servers do. */
const LATER_SQL = (tries: string) =>
  `now() + least(interval '5 seconds' * power(3, least(${tries}, 10)), interval '1 hour')`;

/* A row that another worker has taken meanwhile is that worker's. Its takes are counted by taking it. */
const RESCHEDULE_ENTRY_SQL = `
  UPDATE outbox SET
    last_error = $3,
    available_at = ${LATER_SQL('attempts - 1')},
    status = CASE WHEN attempts >= $4 THEN 'DEAD'::"OutboxStatus" ELSE status END,
    dead_at = CASE WHEN attempts >= $4 THEN now() END
  WHERE id = $1 AND status = 'PENDING' AND attempts = $2
  RETURNING status`;

/** Counts a try of a row that was not counted by taking it. $2 the error, $3 tries at most. */
const countTrySql = (condition: string) => `
  UPDATE outbox SET
    attempts = attempts + 1,
    last_error = $2,
    available_at = ${LATER_SQL('attempts')},
    status = CASE WHEN attempts + 1 >= $3 THEN 'DEAD'::"OutboxStatus" ELSE status END,
    dead_at = CASE WHEN attempts + 1 >= $3 THEN now() END
  WHERE ${condition}
  RETURNING id, status`;

/** The row that the next take of project $1 would begin with. */
const RESCHEDULE_OLDEST_SQL = countTrySql(`
  id = (SELECT id FROM outbox WHERE project_id = $1 AND ${DUE} AND attempts < ${FRESH_TAKES}
        ORDER BY available_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)`);

const RESCHEDULE_MAIL_SQL = countTrySql(`id = $1 AND status = 'PENDING'`);

const MARK_DEAD_SQL = `
  UPDATE outbox SET status = 'DEAD', dead_at = now(), last_error = coalesce(last_error, $2)
  WHERE ${DUE} AND attempts >= ${FRESH_TAKES} AND attempts >= $1
  RETURNING id`;

/** Notes that a taken outbox row could not be dealt with: it comes again later and later, and in the end is DEAD. */
export async function rescheduleEntry(sql: Sql, { id, takes }: OutboxEntry, error: unknown): Promise<void> {
  const { rows } = await sql.query<{ status: string }>(RESCHEDULE_ENTRY_SQL, [
    id,
    takes,
    messageOf(error),
    MAX_TRIES.event,
  ]);
  if (rows[0]?.status === 'DEAD') noteDead(id, 'event', messageOf(error));
}

/** Notes that the oldest due row of a project could not even be taken. */
export async function rescheduleOldest(sql: Sql, projectId: string, error: unknown): Promise<void> {
  const message = messageOf(error);
  const values = [projectId, message, MAX_TRIES.event];
  const { rows } = await sql.query<{ id: string; status: string }>(RESCHEDULE_OLDEST_SQL, values);
  for (const { id, status } of rows) if (status === 'DEAD') noteDead(id, 'event', message);
}

/** Notes that a mail could not be sent. */
export async function rescheduleMail(sql: Sql, id: string, error: unknown): Promise<void> {
  const { rows } = await sql.query<{ status: string }>(RESCHEDULE_MAIL_SQL, [id, messageOf(error), MAX_TRIES.mail]);
  if (rows[0]?.status === 'DEAD') noteDead(id, 'mail', messageOf(error));
}

/** Gives up the due rows that have been taken too often: whoever takes them does not live to finish them. */
export async function markExhaustedDead(sql: Sql): Promise<void> {
  const { rows } = await sql.query<{ id: string }>(MARK_DEAD_SQL, [MAX_TRIES.event, WORKER_DIED]);
  for (const { id } of rows) noteDead(id, 'event', WORKER_DIED);
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_CHARS);
}

function noteDead(outboxId: string, kind: keyof typeof MAX_TRIES, reason: string): void {
  log().error({ outboxId, kind, reason }, 'an outbox row is given up');
  countMetric('outbox_dead_total', kind);
}
