import { config } from '@/lib/platform/config/config';
import { constantTimeEqual } from '@/lib/platform/crypto';
import { AppError } from '@/lib/platform/errors';
import { addProcessMetrics, metricsRegistry } from '@/lib/platform/metrics';
import { type Collector, runCollectors } from '@/lib/platform/metrics-collectors';
import { showOwnPools } from '@/lib/platform/process-metrics';

/**
 * Returns the metrics for Prometheus: those of this process, and those that `collectors` read from the database. The
 * latter include the worker and the retention process, which listen on no port.
 *
 * @throws AppError unauthenticated when METRICS_TOKEN is set and `authorization` does not carry it
 */
export async function collectMetrics(
  authorization: string | null,
  collectors: readonly Collector[],
): Promise<{ contentType: string; content: string }> {
  const token = config().METRICS_TOKEN;
  if (token !== undefined && !constantTimeEqual(authorization ?? '', `Bearer ${token}`)) {
    throw new AppError('unauthenticated', 'Send METRICS_TOKEN as a Bearer token.');
  }
  addProcessMetrics();
  showOwnPools();
  await runCollectors(collectors);
  const registry = metricsRegistry();
  return { contentType: registry.contentType, content: await registry.metrics() };
}
