import type { OperatorCaller } from '@/lib/audit/caller';
import { listWorkers } from '@/lib/delivery/workers/worker-liveness';
import { addMs, type Clock, DAY_MS } from '@/lib/platform/clock';
import { readDatabaseSizes } from '@/lib/platform/database-sizes';
import { database } from '@/lib/platform/db';
import { lowestIdAt } from '@/lib/platform/ids';
import { inCamelCase, present } from '@/lib/platform/present';
import { readFigures, readInEachCell } from '@/lib/platform/read-figures';
import { estimateRows } from '@/lib/retention/figures/figures';
import { type Stats, type TableSize, WorkerRecord } from './schema';
import { type BacklogRow, countAll, countEndpoints, countLastDay, measureBacklogs } from './stats-sql';

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

/** Reads the figures of the deployment, of all cells together: totals, the last 24 hours, and the backlogs. */
export async function getStats(_caller: OperatorCaller, clock: Clock): Promise<Stats> {
  const lowestId = lowestIdAt(addMs(clock(), -DAY_MS));
  const [counted, endpoints, lastDay, backlogs, sizes, tables, workers] = await Promise.all([
    readFigures(countAll),
    readInEachCell(() => readFigures(countEndpoints)),
    readInEachCell(() => readFigures(countLastDay, { lowestId })),
    readInEachCell(() => readFigures(measureBacklogs)),
    readDatabaseSizes(),
    estimateTableSizes(GROWING_TABLES),
    listWorkers(database()),
  ]);
  const { living, beingRemoved, users, projects } = inCamelCase(only(counted));
  const { events, incomingEvents, ...settled } = inCamelCase(sumOf(lastDay.map(only)));
  const backlog = (kind: BacklogRow['kind']) => {
    // Mails are of all cells: each has read the same.
    const rows = backlogs.map((ofCell) => only(ofCell.filter((row) => row.kind === kind)));
    const counts = sumOf(
      (kind === 'mail' ? rows.slice(0, 1) : rows).map(({ oldest: _oldest, kind: _kind, ...row }) => row),
    );
    const oldest = rows.flatMap((row) => row.oldest ?? []).sort((a, b) => a.getTime() - b.getTime())[0];
    return { ...counts, oldestAt: oldest?.toISOString() ?? null };
  };
  const waiting = (kind: 'outbox' | 'mail') => {
    const { pending, oldestAt, dead } = backlog(kind);
    return { pending, oldestPendingAt: oldestAt, dead };
  };
  const { pending, queued, due, oldestAt } = backlog('deliveries');
  return {
    organizations: { living, beingRemoved },
    users,
    projects,
    endpoints: sumOf(endpoints.map(only)),
    last24Hours: { events, incomingEvents, deliveries: { ...settled, pending: settled.queued + settled.retrying } },
    outbox: waiting('outbox'),
    mail: waiting('mail'),
    deliveries: { pending, queued, retrying: pending - queued, due, oldestDueAt: oldestAt },
    workers: workers.map((worker) => present(WorkerRecord, worker)),
    database: { sizeBytes: sizes.reduce((sum, bytes) => sum + bytes, 0), tables },
  };
}

/** Adds up rows of numbers. */
function sumOf<T extends Record<string, number>>(rows: readonly T[]): T {
  const [first, ...others] = rows;
  if (first === undefined) throw new Error('there is a cell');
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => [name, others.reduce((sum, row) => sum + (row[name] ?? 0), value)]),
  ) as T;
}

function only<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) throw new Error('a count must return one row');
  return row;
}
