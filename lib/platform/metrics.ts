import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { once } from '@/lib/platform/globals';

/** The process's one registry, with the metrics of the process itself. */
export function metricsRegistry(): Registry {
  return once('metrics-registry', () => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    return registry;
  });
}

/** Seconds a request took, by route template, method and status: never by raw path, which a client could vary for ever. */
export function requestSeconds(): Histogram<'route' | 'method' | 'status'> {
  return once(
    'request-seconds',
    () =>
      new Histogram({
        name: 'http_request_duration_seconds',
        help: 'Seconds from the first byte of a request under /api to its answer',
        labelNames: ['route', 'method', 'status'],
        buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
        registers: [metricsRegistry()],
      }),
  );
}
