import type { OperatorCaller } from '@/lib/audit/caller';
import { listWorkers } from '@/lib/delivery/workers/worker-liveness';
import { addMs, type Clock, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { lowestIdAt } from '@/lib/platform/ids';
import { readFigures } from '@/lib/platform/read-figures';
import { estimateRows } from '@/lib/retention/figures/figures';
import type { Stats, TableSize } from './schema';
import { type BacklogRow, countAll, countLastDay, measureBacklogs } from './stats-sql';

/** The tables that grow with use. */
const GROWING_TABLES = [
  'events',
  'incoming_events',
  'deliveries',
  'delivery_attempts',
  'outbox',
  'tunnel_request_log',
  'audit_log',
] as const;
export type GrowingTable = (typeof GROWING_TABLES)[number];

/** Estimates the rows and bytes of each table, including indexes and all partitions. */
export async function estimateTableSizes(tables: readonly GrowingTable[]): Promise<TableSize[]> {
  const estimates = await estimateRows(tables);
  return estimates.map(({ table, rows, bytes }) => ({ table, estimatedRows: rows, sizeBytes: bytes }));
}

/** Reads the figures of the deployment: totals, the last 24 hours, and the backlogs. */
export async function getStats(_caller: OperatorCaller, clock: Clock): Promise<Stats> {
  const lowestId = lowestIdAt(addMs(clock(), -DAY_MS));
  const [counted, countedLastDay, backlogs, tables, workers] = await Promise.all([
    readFigures(countAll),
    readFigures(countLastDay, lowestId),
    readFigures(measureBacklogs),
    estimateTableSizes(GROWING_TABLES),
    listWorkers(database()),
  ]);
  const counts = only(counted);
  const lastDay = only(countedLastDay);
  const backlog = (kind: BacklogRow['kind']) => {
    const { pending, queued, oldest, dead, due } = only(backlogs.filter((row) => row.kind === kind));
    return { pending, queued, oldestAt: oldest?.toISOString() ?? null, dead, due };
  };
  const waiting = (kind: 'outbox' | 'mail') => {
    const { pending, oldestAt, dead } = backlog(kind);
    return { pending, oldestPendingAt: oldestAt, dead };
  };
  const { pending, queued, due, oldestAt } = backlog('deliveries');
  const { succeeded, failed } = lastDay;
  return {
    organizations: { living: counts.living, beingRemoved: counts.being_removed },
    users: counts.users,
    projects: counts.projects,
    endpoints: { enabled: counts.enabled, paused: counts.paused, disabled: counts.disabled },
    last24Hours: {
      events: lastDay.events,
      incomingEvents: lastDay.incoming_events,
      deliveries: {
        pending: lastDay.queued + lastDay.retrying,
        queued: lastDay.queued,
        retrying: lastDay.retrying,
        succeeded,
        failed,
      },
    },
    outbox: waiting('outbox'),
    mail: waiting('mail'),
    deliveries: { pending, queued, retrying: pending - queued, due, oldestDueAt: oldestAt },
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
