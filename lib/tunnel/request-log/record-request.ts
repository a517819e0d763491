import { Counter } from 'prom-client';
import { runLongTask } from '@/lib/platform/background';
import { database } from '@/lib/platform/db';
import { once } from '@/lib/platform/globals';
import { metricOnce } from '@/lib/platform/metrics';
import type { TunnelRequestEntry } from '@/lib/tunnel/types';
import { BodyAllowance } from './body-allowance';
import { bodyBytes, removeBodies, shortenTexts, textBytes, toLogRow } from './log-row';
import { LogWriter } from './log-writer';
import { storeRequests } from './store-requests';

const writer = () =>
  once(
    'tunnel-log',
    () =>
      new LogWriter({ store: (rows) => storeRequests(database(), rows), onDropped: countDropped, run: runLongTask }),
  );
const allowance = () => once('tunnel-log-bodies', () => new BodyAllowance());

/**
 * Logs a request to a tunnel, without waiting for the database. Credentials in its headers are redacted. Under too much load
 * bodies are left out first; a request that cannot be logged is counted in `tunnel_log_dropped_total`.
 */
export function recordTunnelRequest(entry: TunnelRequestEntry): void {
  const row = toLogRow(entry);
  if (!allowance().mayKeep(row.tunnelId, bodyBytes(row) + textBytes(row))) {
    removeBodies(row);
    if (!allowance().mayKeep(row.tunnelId, textBytes(row))) shortenTexts(row);
  }
  writer().add(row);
}

function countDropped(count: number): void {
  const name = 'tunnel_log_dropped_total';
  const help = 'Requests to tunnels that could not be logged';
  metricOnce(name, (registers) => new Counter({ name, help, registers })).inc(count);
}
