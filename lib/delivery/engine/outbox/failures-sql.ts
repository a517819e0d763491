import { enumOf, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import { DUE, FRESH_TAKES } from './take-sql';

const status = enumOf<'PENDING' | 'DEAD'>('OutboxStatus');

/** 5 s, 15 s, 45 s … at most an hour: an event becomes a dead letter after about four hours, a mail after a day. */
const LATER_SQL = (tries: string) =>
  `now() + least(interval '5 seconds' * power(3, least(${tries}, 10)), interval '1 hour')`;

/**
 * Reschedules row $1 after the failure $3 of its take. `attempts` is the fencing token $2: a row that another worker has
 * taken meanwhile is left to that worker. $4 takes at most.
 */
export const rescheduleTaken = statement(
  `
  UPDATE outbox SET
    last_error = $3,
    available_at = ${LATER_SQL('attempts - 1')},
    status = CASE WHEN attempts >= $4 THEN 'DEAD'::"OutboxStatus" ELSE status END,
    dead_at = CASE WHEN attempts >= $4 THEN now() END
  WHERE id = $1 AND status = 'PENDING' AND attempts = $2
  RETURNING status`,
  { status },
);

/** Counts a try of a row that was not taken, which would have counted it. $2 the error, $3 tries at most. */
const countTry = (condition: string) =>
  statement(
    `
  UPDATE outbox SET
    attempts = attempts + 1,
    last_error = $2,
    available_at = ${LATER_SQL('attempts')},
    status = CASE WHEN attempts + 1 >= $3 THEN 'DEAD'::"OutboxStatus" ELSE status END,
    dead_at = CASE WHEN attempts + 1 >= $3 THEN now() END
  WHERE ${condition}
  RETURNING id, status`,
    { id: uuid, status },
  );

/** Counts a try of the row that the next take of project $1 starts with. */
export const countTryOfOldest = countTry(`
  id = (SELECT id FROM outbox WHERE project_id = $1 AND ${DUE} AND attempts < ${FRESH_TAKES}
        ORDER BY available_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)`);

/** Counts a try of mail $1. */
export const countTryOfMail = countTry(`id = $1 AND status = 'PENDING'`);

/** Makes dead letters of the due rows that have been taken $1 times. $2 the error of those without one. */
export const markDead = statement(
  `
  UPDATE outbox SET status = 'DEAD', dead_at = now(), last_error = coalesce(last_error, $2)
  WHERE ${DUE} AND attempts >= ${FRESH_TAKES} AND attempts >= $1
  RETURNING id`,
  { id: uuid },
);
