import type { OperatorCaller } from '@/lib/audit/caller';
import { listWorkers } from '@/lib/delivery/workers/list-workers';
import { addMs, type Clock, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { lowestIdAt } from '@/lib/platform/ids';
import { readFigures } from '@/lib/platform/read-figures';
import type { Stats } from './schema';
import { estimateTableSizes, GROWING_TABLES } from './table-sizes';

const COUNTS_SQL = `
  SELECT (SELECT count(*)::int FROM organizations WHERE deleted_at IS NULL) AS living,
         (SELECT count(*)::int FROM organizations WHERE deleted_at IS NOT NULL) AS being_removed,
         (SELECT count(*)::int FROM users WHERE erased_at IS NULL) AS users,
         (SELECT count(*)::int FROM projects p JOIN organizations o ON o.id = p.organization_id
          WHERE p.deleted_at IS NULL AND o.deleted_at IS NULL) AS projects,
         (SELECT count(*)::int FROM endpoints WHERE deleted_at IS NULL AND enabled) AS enabled,
         (SELECT count(*)::int FROM endpoints WHERE deleted_at IS NULL AND NOT enabled) AS disabled,
         pg_database_size(current_database()) AS size_bytes`;

/**
 * Selects by id, which begins with the creation time: the primary key is the only index over all projects. $1 is the
 * lowest id.
 */
const LAST_DAY_SQL = `
  SELECT (SELECT count(*)::int FROM events WHERE id >= $1) AS events,
         (SELECT count(*)::int FROM incoming_events WHERE id >= $1) AS incoming_events,
         d.pending, d.succeeded, d.failed
  FROM (SELECT count(*) FILTER (WHERE status = 'PENDING')::int AS pending,
               count(*) FILTER (WHERE status = 'SUCCEEDED')::int AS succeeded,
               count(*) FILTER (WHERE status = 'FAILED')::int AS failed
        FROM deliveries WHERE id >= $1) d`;

/** Each count uses the partial index on pending rows. */
const BACKLOG_SQL = `
  SELECT kind, pending, oldest, dead, due FROM (
    SELECT 'outbox' AS kind, count(*)::int AS pending, min(created_at) AS oldest, 0 AS due,
           (SELECT count(*)::int FROM outbox WHERE status = 'DEAD' AND kind <> 'MAIL') AS dead
    FROM outbox WHERE status = 'PENDING' AND kind <> 'MAIL'
    UNION ALL
    SELECT 'mail', count(*)::int, min(created_at), 0,
           (SELECT count(*)::int FROM outbox WHERE status = 'DEAD' AND kind = 'MAIL')
    FROM outbox WHERE status = 'PENDING' AND kind = 'MAIL'
    UNION ALL
    SELECT 'deliveries', count(*)::int, min(next_attempt_at) FILTER (WHERE next_attempt_at <= now()),
           count(*) FILTER (WHERE next_attempt_at <= now())::int, 0
    FROM deliveries WHERE status = 'PENDING'
  ) waiting`;

type CountRow = Record<'living' | 'being_removed' | 'users' | 'projects' | 'enabled' | 'disabled', number> & {
  size_bytes: string;
};
type LastDayRow = Record<'events' | 'incoming_events' | 'pending' | 'succeeded' | 'failed', number>;
interface BacklogRow {
  kind: 'outbox' | 'mail' | 'deliveries';
  pending: number;
  oldest: Date | null;
  dead: number;
  due: number;
}

/** Reads the figures of the deployment: totals, the last 24 hours, and the backlogs. */
export async function getStats(_caller: OperatorCaller, clock: Clock): Promise<Stats> {
  const lowestId = lowestIdAt(addMs(clock(), -DAY_MS));
  const [counted, countedLastDay, backlogs, tables, workers] = await Promise.all([
    readFigures<CountRow>(COUNTS_SQL),
    readFigures<LastDayRow>(LAST_DAY_SQL, [lowestId]),
    readFigures<BacklogRow>(BACKLOG_SQL),
    estimateTableSizes(GROWING_TABLES),
    listWorkers(database()),
  ]);
  const [counts, lastDay] = [only(counted), only(countedLastDay)];
  const backlog = (kind: BacklogRow['kind']) => {
    const { pending, oldest, dead, due } = only(backlogs.filter((row) => row.kind === kind));
    return { pending, oldestAt: oldest?.toISOString() ?? null, dead, due };
  };
  const waiting = (kind: 'outbox' | 'mail') => {
    const { pending, oldestAt, dead } = backlog(kind);
    return { pending, oldestPendingAt: oldestAt, dead };
  };
  const { pending, due, oldestAt } = backlog('deliveries');
  return {
    organizations: { living: counts.living, beingRemoved: counts.being_removed },
    users: counts.users,
    projects: counts.projects,
    endpoints: { enabled: counts.enabled, disabled: counts.disabled },
    last24Hours: {
      events: lastDay.events,
      incomingEvents: lastDay.incoming_events,
      deliveries: { pending: lastDay.pending, succeeded: lastDay.succeeded, failed: lastDay.failed },
    },
    outbox: waiting('outbox'),
    mail: waiting('mail'),
    deliveries: { pending, due, oldestDueAt: oldestAt },
    workers: workers.map(({ startedAt, lastSeenAt, lastPassAt, ...worker }) => ({
      ...worker,
      startedAt: startedAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      lastPassAt: lastPassAt?.toISOString() ?? null,
    })),
    database: { sizeBytes: Number(counts.size_bytes), tables },
  };
}

function only<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) throw new Error('a count must return one row');
  return row;
}
