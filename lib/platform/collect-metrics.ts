import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { constantTimeEqual } from '@/lib/platform/crypto';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { addProcessMetrics, metricsRegistry } from '@/lib/platform/metrics';
import { type Collector, runCollectors } from '@/lib/platform/metrics-collectors';
import { showOwnPools } from '@/lib/platform/process-metrics';
import { TimedCache } from '@/lib/platform/timed-cache';

/** Anyone may ask while METRICS_TOKEN is unset, and a text takes milliseconds: however many ask, one is made a second. */
const FRESH_MS = SECOND_MS;

interface MetricsText {
  contentType: string;
  content: string;
  gzip: Uint8Array;
}

/**
 * Returns the metrics for Prometheus, at most a second old: those of this process, and those that `collectors` read from the
 * database. The latter include the worker and the retention process, which listen on no port.
 *
 * @throws AppError unauthenticated when METRICS_TOKEN is set and `authorization` does not carry it
 */
export async function collectMetrics(
  authorization: string | null,
  collectors: readonly Collector[],
): Promise<MetricsText> {
  const token = config().METRICS_TOKEN;
  if (token !== undefined && !constantTimeEqual(authorization ?? '', `Bearer ${token}`)) {
    throw new AppError('unauthenticated', 'Send METRICS_TOKEN as a Bearer token.');
  }
  return once('metrics-text', () => new TimedCache(() => makeMetricsText(collectors), FRESH_MS, 1)).get('');
}

/** Makes the text of this moment. */
export async function makeMetricsText(collectors: readonly Collector[]): Promise<MetricsText> {
  addProcessMetrics();
  showOwnPools();
  await runCollectors(collectors);
  const registry = metricsRegistry();
  const content = await registry.metrics();
  return { contentType: registry.contentType, content, gzip: await promisify(gzip)(content) };
}
