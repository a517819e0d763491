import type { OutboxEntry } from '@/lib/delivery/engine/types';
import { projectOfTurn, turnIdOf } from '@/lib/events/turn-key';
import type { Sql } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { countMetric } from '@/lib/platform/metrics-counters';
import { countTryOfMail, countTryOfOldest, markDead, rescheduleTaken } from './outbox-sql';

/** After this many takes of an event or tries of a mail, its row is a dead letter, which the operator sees. */
export const MAX_TAKES = 10;
const MAX_TRIES = { event: MAX_TAKES, mail: 24 };
const MAX_ERROR_CHARS = 500;
const WORKER_DIED = 'Never finished: each time a worker died or lost the database.';

/** Reschedules an outbox row after a failure, each time later, until it becomes a dead letter. */
export async function rescheduleEntry(sql: Sql, { id, takes }: OutboxEntry, error: unknown): Promise<void> {
  const message = messageOf(error);
  const row = await rescheduleTaken.first(sql, { row: id, takes, error: message, maxTakes: MAX_TRIES.event });
  if (row?.status === 'DEAD') noteDead(id, 'event', message);
}

/** Reschedules the oldest due row of a turn, which could not be taken. */
export async function rescheduleOldest(sql: Sql, key: string, error: unknown): Promise<void> {
  const message = messageOf(error);
  const oldest = { project: projectOfTurn(key), turnId: turnIdOf(key) };
  const rows = await countTryOfOldest.all(sql, { ...oldest, error: message, maxTries: MAX_TRIES.event });
  for (const { id, status } of rows) if (status === 'DEAD') noteDead(id, 'event', message);
}

/** Reschedules a mail that could not be sent. */
export async function rescheduleMail(sql: Sql, id: string, error: unknown): Promise<void> {
  const message = messageOf(error);
  const row = await countTryOfMail.first(sql, { mail: id, error: message, maxTries: MAX_TRIES.mail });
  if (row?.status === 'DEAD') noteDead(id, 'mail', message);
}

/** Makes dead letters of the due rows that have been taken too often: each worker that took them died. */
export async function markExhaustedDead(sql: Sql): Promise<void> {
  const rows = await markDead.all(sql, { maxTakes: MAX_TRIES.event, error: WORKER_DIED });
  for (const { id } of rows) noteDead(id, 'event', WORKER_DIED);
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_CHARS);
}

function noteDead(outboxId: string, kind: keyof typeof MAX_TRIES, reason: string): void {
  log().error({ outboxId, kind, reason }, 'outbox row is a dead letter');
  countMetric('outbox_dead_total', kind);
}
