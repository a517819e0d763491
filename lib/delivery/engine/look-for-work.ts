import type { Sql } from '@/lib/platform/db';
import { TARGET_ID } from './claim-due';

/** What there is to do, seen by looking: for what no notification told of. */
export interface WorkSeen {
  /** Targets with deliveries that are due. */
  dueTargets: string[];
  /** Milliseconds until the next delivery is due that is not due yet; null when none waits. */
  nextDueMs: number | null;
  outboxDue: boolean;
  mailDue: boolean;
}

const FIRST_LOOK_ROWS = 500;
const MAX_TARGETS = 5_000;

const LOOK_SQL = `
  SELECT
    ARRAY(SELECT target_id FROM (
      SELECT ${TARGET_ID} AS target_id FROM deliveries
      WHERE status = 'PENDING' AND next_attempt_at <= now() ORDER BY next_attempt_at LIMIT ${FIRST_LOOK_ROWS}) AS due
    ) AS due_targets,
    (SELECT (extract(epoch FROM next_attempt_at - now()) * 1000)::float8 FROM deliveries
      WHERE status = 'PENDING' AND next_attempt_at > now() ORDER BY next_attempt_at LIMIT 1) AS next_due_ms,
    EXISTS (SELECT FROM outbox WHERE status = 'PENDING' AND kind <> 'MAIL' AND available_at <= now()) AS outbox_due,
    EXISTS (SELECT FROM outbox WHERE status = 'PENDING' AND kind = 'MAIL' AND available_at <= now()) AS mail_due`;

/*
 * One probe of the index for each target, whatever each has waiting: the first row of a target is its oldest. Used when
 * so much is due that the oldest rows may all be one target's. From a given target on, so that beyond MAX_TARGETS the
 * next look goes on where this one ended.
 */
const EACH_TARGET_SQL = `
  WITH RECURSIVE head AS (
    (SELECT ${TARGET_ID} AS target_id, next_attempt_at FROM deliveries
     WHERE status = 'PENDING' AND ${TARGET_ID} > $1 ORDER BY ${TARGET_ID}, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT next.* FROM head CROSS JOIN LATERAL (
      SELECT ${TARGET_ID} AS target_id, next_attempt_at FROM deliveries
      WHERE status = 'PENDING' AND ${TARGET_ID} > head.target_id ORDER BY ${TARGET_ID}, next_attempt_at LIMIT 1) next
  )
  SELECT target_id, next_attempt_at <= now() AS is_due FROM head LIMIT ${MAX_TARGETS}`;

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

interface LookRow {
  due_targets: string[];
  next_due_ms: number | null;
  outbox_due: boolean;
  mail_due: boolean;
}

/** Looks for due work. Cheap when little is due; never more than one probe for each of 5,000 targets. */
export class WorkFinder {
  private from = LOWEST_ID;

  async look(sql: Sql): Promise<WorkSeen> {
    const { rows } = await sql.query<LookRow>({ name: 'look-for-work', text: LOOK_SQL });
    const [row] = rows;
    if (row === undefined) throw new Error('a look for work found no row');
    const isAll = row.due_targets.length < FIRST_LOOK_ROWS;
    return {
      dueTargets: isAll ? [...new Set(row.due_targets)] : await this.lookAtEachTarget(sql),
      nextDueMs: row.next_due_ms,
      outboxDue: row.outbox_due,
      mailDue: row.mail_due,
    };
  }

  private async lookAtEachTarget(sql: Sql): Promise<string[]> {
    const { rows } = await sql.query<{ target_id: string; is_due: boolean }>(EACH_TARGET_SQL, [this.from]);
    this.from = rows.length >= MAX_TARGETS ? (rows.at(-1)?.target_id ?? LOWEST_ID) : LOWEST_ID;
    return rows.filter(({ is_due }) => is_due).map(({ target_id }) => target_id);
  }
}
