import { inCellOfProject, inCellsOf, knownOwnerOfProject } from '@/lib/orgs/tenant';
import { runLongTask } from '@/lib/platform/background';
import { onceInCell } from '@/lib/platform/cells/current-cell';
import { database, type Sql } from '@/lib/platform/db';
import type { ErrorCode } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { declareCounter } from '@/lib/platform/metrics';
import { storageRoom } from '@/lib/platform/storage-room';
import type { TunnelRequestEntry } from '@/lib/tunnel/types';
import { bodyBytes, type LogRow, removeBodies, shortenTexts, textBytes, toLogRow } from './log-row';
import { LogWriter, MinuteAllowance } from './log-writer';
import { insertRequests } from './request-log-sql';

/**
 * Bytes of the bodies, headers and paths of an owner's tunnels that a web process keeps: neither a stranger nor the owner may fill the
 * database. In the seven days of the log they are 160 GB.
 */
const MAX_BYTES_PER_MINUTE = 16 * 1024 * 1024;

/** A cell that does not answer holds up only its own. */
const writer = () =>
  onceInCell('tunnel-log', () => new LogWriter({ store: storeInCells, onDropped: countDropped, run: runLongTask }));

/** An organization may have moved to another cell since its rows were added. */
async function storeInCells(rows: readonly LogRow[]): Promise<void> {
  await inCellsOf(
    rows,
    (row) => row.projectId,
    (ofCell) => storeRequests(database(), ofCell),
  );
}
const rowAllowance = () => once('tunnel-log-rows', () => new RowAllowance());
const byteAllowance = () => once('tunnel-log-bytes', () => new MinuteAllowance(MAX_BYTES_PER_MINUTE));

/**
 * Logs a request to a tunnel without waiting for the database, and redacts credentials in its headers. Under overload,
 * bodies are dropped first; a request that cannot be logged is counted in `tunnel_log_dropped_total`.
 */
export function recordTunnelRequest(entry: TunnelRequestEntry): void {
  if (storageRoom().isNearlyFull || !rowAllowance().take(entry.tunnelId, rowKindOf(entry.error))) {
    countDropped(1);
    return;
  }
  const row = toLogRow(entry);
  // Who was refused uses nothing of the bytes of those who were not.
  if (entry.requestHeaders === null) shortenTexts(row);
  else limitBytes(row);
  runLongTask(() => inCellOfProject(row.projectId, async () => writer().add(row))).catch(() => countDropped(1));
}

function limitBytes(row: LogRow): void {
  const ownerId = knownOwnerOfProject(row.projectId) ?? row.projectId;
  if (byteAllowance().take(ownerId, bodyBytes(row) + textBytes(row))) return;
  removeBodies(row);
  if (!byteAllowance().take(ownerId, textBytes(row))) shortenTexts(row);
}

const dropped = declareCounter({
  name: 'tunnel_log_dropped_total',
  help: 'Requests to tunnels that could not be logged',
});

/** Counts requests that could not be logged. */
export function countDropped(count: number): void {
  dropped().inc(count);
}

/**
 * What became of a request, as far as the size of the log is concerned: `refused` by the rules of the tunnel or of the relay;
 * `unserved`, because no client could take it; or `served`.
 */
type RowKind = 'served' | 'unserved' | 'refused';

/** Rows of one tunnel in a minute, in each web process. A stranger who knows the URL must not fill the database. */
const MAX_ROWS_PER_MINUTE: Record<RowKind, number> = {
  // 333 a second for a minute: more than a tunnel to the machine of a developer carries.
  served: 20_000,
  // These cost their sender nothing. Ten a second are enough to see what is wrong. The two are counted apart, so that a
  // stranger without the password cannot hide what an offline client misses.
  unserved: 600,
  refused: 600,
};

const KIND_OF_ERROR: Partial<Record<ErrorCode, RowKind>> = {
  forbidden: 'refused',
  unauthenticated: 'refused',
  rate_limited: 'refused',
  payload_too_large: 'refused',
  upgrade_unsupported: 'refused',
  tunnel_offline: 'unserved',
  tunnel_busy: 'unserved',
};

/** Returns the kind of a row. @param error the code of the error; null for none */
function rowKindOf(error: string | null): RowKind {
  return KIND_OF_ERROR[error as ErrorCode] ?? 'served';
}

/** Bounds the rows that are logged per tunnel and minute, each kind apart. */
class RowAllowance {
  private readonly allowances: Record<RowKind, MinuteAllowance>;

  constructor(now?: () => number) {
    const of = (kind: RowKind) => new MinuteAllowance(MAX_ROWS_PER_MINUTE[kind], now);
    this.allowances = { served: of('served'), unserved: of('unserved'), refused: of('refused') };
  }

  /** Whether a row more of this kind may be logged. Counts it when it may. */
  take(tunnelId: string, kind: RowKind): boolean {
    return this.allowances[kind].take(tunnelId, 1);
  }
}

/** Writes rows in one statement. Skips rows of deleted tunnels and rows that are already stored. */
export async function storeRequests(sql: Sql, rows: readonly LogRow[]): Promise<void> {
  await insertRequests(rows.length).run(sql, ...rows.flatMap(valuesOf));
}

function valuesOf(row: LogRow): unknown[] {
  const { requestBody, responseBody } = row;
  return [
    row.id,
    row.projectId,
    row.tunnelId,
    row.method,
    row.path,
    row.responseStatus,
    row.durationMs,
    row.requestSize,
    row.responseSize,
    row.error,
    row.requestHeaders,
    requestBody?.bytes ?? null,
    requestBody?.truncated ?? false,
    row.responseHeaders,
    responseBody?.bytes ?? null,
    responseBody?.truncated ?? false,
    row.replayOf,
    row.startedAt.toISOString(),
  ];
}
