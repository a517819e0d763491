import { Counter } from 'prom-client';
import { knownOwnerOfProject } from '@/lib/orgs/find-tenant';
import { runLongTask } from '@/lib/platform/background';
import { database } from '@/lib/platform/db';
import { once } from '@/lib/platform/globals';
import { declareMetric } from '@/lib/platform/metrics';
import { storageRoom } from '@/lib/platform/storage-room';
import type { TunnelRequestEntry } from '@/lib/tunnel/types';
import { bodyBytes, type LogRow, removeBodies, shortenTexts, textBytes, toLogRow } from './log-row';
import { LogWriter } from './log-writer';
import { MinuteAllowance } from './minute-allowance';
import { RowAllowance, rowKindOf } from './row-allowance';
import { storeRequests } from './store-requests';

/**
 * Bytes of the bodies, headers and paths of an owner's tunnels that a web process keeps: neither a stranger nor the owner may fill the
 * database. In the seven days of the log they are 160 GB.
 */
const MAX_BYTES_PER_MINUTE = 16 * 1024 * 1024;

const writer = () =>
  once(
    'tunnel-log',
    () =>
      new LogWriter({ store: (rows) => storeRequests(database(), rows), onDropped: countDropped, run: runLongTask }),
  );
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
  writer().add(row);
}

function limitBytes(row: LogRow): void {
  const ownerId = knownOwnerOfProject(row.projectId) ?? row.projectId;
  if (byteAllowance().take(ownerId, bodyBytes(row) + textBytes(row))) return;
  removeBodies(row);
  if (!byteAllowance().take(ownerId, textBytes(row))) shortenTexts(row);
}

const dropped = declareMetric(
  'tunnel_log_dropped_total',
  (registers) =>
    new Counter({
      name: 'tunnel_log_dropped_total',
      help: 'Requests to tunnels that could not be logged',
      registers,
    }),
);

/** Counts requests that could not be logged. */
export function countDropped(count: number): void {
  dropped().inc(count);
}
