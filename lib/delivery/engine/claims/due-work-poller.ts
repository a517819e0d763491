import { FRESH_TAKES } from '@/lib/delivery/engine/outbox/take-sql';
import { SECOND_MS } from '@/lib/platform/clock';
import type { Sql } from '@/lib/platform/db';
import { TARGET_ID } from './claim-due';

interface DueTarget {
  targetId: string;
  projectId: string;
}

interface DueWork {
  /** Targets with due deliveries. */
  targets: DueTarget[];
  /** Milliseconds until the next delivery becomes due; null if none will. */
  nextDueMs: number | null;
  /** Projects with due outbox rows. */
  projects: string[];
  /** How often the worst due row of the quarantine has been taken; null if none is due. */
  quarantinedTakes: number | null;
  isMailDue: boolean;
}

const FIRST_POLL_ROWS = 500;
/** Deliveries that have just become due are found even while many older ones are due. */
const NEWEST_POLL_ROWS = 100;
const MAX_TARGETS = 5_000;
/** Projects found by one poll at most. The next poll resumes after them. */
const MAX_PROJECTS = 1_000;

const IN_OUTBOX = `status = 'PENDING' AND kind <> 'MAIL'`;

const POLL_SQL = `
  WITH RECURSIVE project AS (
    (SELECT project_id FROM outbox WHERE ${IN_OUTBOX} AND project_id > $1 ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.project_id FROM outbox o WHERE ${IN_OUTBOX} AND o.project_id > p.project_id ORDER BY o.project_id LIMIT 1)
    FROM project p WHERE p.project_id IS NOT NULL
  )
  SELECT
    due.*,
    (SELECT (extract(epoch FROM next_attempt_at - now()) * 1000)::float8 FROM deliveries
      WHERE status = 'PENDING' AND next_attempt_at > now() ORDER BY next_attempt_at LIMIT 1) AS next_due_ms,
    array_to_string(ARRAY(SELECT p.project_id FROM project p WHERE EXISTS (
      SELECT FROM outbox o WHERE ${IN_OUTBOX} AND o.project_id = p.project_id AND o.available_at <= now()
        AND o.attempts < ${FRESH_TAKES})
      LIMIT ${MAX_PROJECTS}), ',') AS due_projects,
    (SELECT max(attempts) FROM outbox WHERE ${IN_OUTBOX} AND attempts >= ${FRESH_TAKES} AND available_at <= now())
      AS quarantined_takes,
    EXISTS (SELECT FROM outbox WHERE status = 'PENDING' AND kind = 'MAIL' AND available_at <= now()) AS mail_due
  FROM (
    SELECT count(*) FILTER (WHERE is_oldest)::int AS due_rows,
           string_agg(DISTINCT target_id || ':' || project_id, ',') AS due_targets
    FROM (
      (SELECT ${TARGET_ID} AS target_id, project_id, true AS is_oldest FROM deliveries
       WHERE status = 'PENDING' AND next_attempt_at <= now() ORDER BY next_attempt_at LIMIT ${FIRST_POLL_ROWS})
      UNION ALL
      (SELECT ${TARGET_ID}, project_id, false FROM deliveries
       WHERE status = 'PENDING' AND next_attempt_at <= now() ORDER BY next_attempt_at DESC LIMIT ${NEWEST_POLL_ROWS})
    ) AS d
  ) AS due`;

/*
 * Probes the index once for each target, however many deliveries each has: the first row of a target is its oldest. Used when so
 * many deliveries are due that the oldest may all belong to one target. Starts after target $1, so that beyond MAX_TARGETS the next
 * poll can resume.
 */
const EACH_TARGET_SQL = `
  WITH RECURSIVE head AS (
    (SELECT ${TARGET_ID} AS target_id, project_id, next_attempt_at FROM deliveries
     WHERE status = 'PENDING' AND ${TARGET_ID} > $1 ORDER BY ${TARGET_ID}, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT next.* FROM head CROSS JOIN LATERAL (
      SELECT ${TARGET_ID} AS target_id, project_id, next_attempt_at FROM deliveries
      WHERE status = 'PENDING' AND ${TARGET_ID} > head.target_id ORDER BY ${TARGET_ID}, next_attempt_at LIMIT 1) next
  )
  SELECT string_agg(target_id || ':' || project_id, ',') FILTER (WHERE next_attempt_at <= now()) AS due_targets,
         CASE WHEN count(*) = ${MAX_TARGETS} THEN max(target_id::text) END AS resume_after
  FROM (SELECT * FROM head LIMIT ${MAX_TARGETS}) AS probed`;

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/* Lists are comma-separated texts: parsing arrays or thousands of rows would block the event loop for many milliseconds. */
interface PollRow {
  due_rows: number;
  due_targets: string | null;
  next_due_ms: number | null;
  due_projects: string;
  quarantined_takes: number | null;
  mail_due: boolean;
}

/**
 * Finds due work that no notification may have announced. A poll is cheap while little is due. If much is due, one poll a second
 * probes each of up to 5,000 targets, and the polls in between find the targets of the oldest and newest due deliveries.
 */
export class DueWorkPoller {
  private nextProbeAt = Number.NEGATIVE_INFINITY;
  private from = LOWEST_ID;
  private fromProject = LOWEST_ID;

  constructor(private readonly probeIntervalMs = SECOND_MS) {}

  async poll(sql: Sql): Promise<DueWork> {
    const { rows } = await sql.query<PollRow>({
      name: 'poll-due-work',
      text: POLL_SQL,
      values: [this.fromProject],
    });
    const [row] = rows;
    if (row === undefined) throw new Error('the poll returned no row');
    const projects = row.due_projects === '' ? [] : row.due_projects.split(',');
    this.fromProject = projects.length < MAX_PROJECTS ? LOWEST_ID : (projects.at(-1) ?? LOWEST_ID);
    const isAll = row.due_rows < FIRST_POLL_ROWS;
    return {
      targets:
        isAll || performance.now() < this.nextProbeAt ? toTargets(row.due_targets) : await this.probeEachTarget(sql),
      nextDueMs: row.next_due_ms,
      projects,
      quarantinedTakes: row.quarantined_takes,
      isMailDue: row.mail_due,
    };
  }

  private async probeEachTarget(sql: Sql): Promise<DueTarget[]> {
    const { rows } = await sql.query<{ due_targets: string | null; resume_after: string | null }>({
      name: 'probe-each-target',
      text: EACH_TARGET_SQL,
      values: [this.from],
    });
    this.nextProbeAt = performance.now() + this.probeIntervalMs;
    this.from = rows[0]?.resume_after ?? LOWEST_ID;
    return toTargets(rows[0]?.due_targets ?? null);
  }
}

function toTargets(pairs: string | null): DueTarget[] {
  if (pairs === null) return [];
  return pairs.split(',').map((pair) => {
    const [targetId = '', projectId = ''] = pair.split(':');
    return { targetId, projectId };
  });
}
