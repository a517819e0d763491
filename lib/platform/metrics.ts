import { collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import { once } from '@/lib/platform/globals';

/** The process's one registry. */
export function metricsRegistry(): Registry {
  return once('metrics-registry', () => new Registry());
}

/**
 * Adds the metrics of the process itself to the registry, unless they are there. For the first scrape and not before: to
 * sample the lag of the event loop wakes the process a hundred times a second, which is most of what an idle one does.
 */
export function addProcessMetrics(): void {
  const registry = metricsRegistry();
  if (registry.getSingleMetric('nodejs_eventloop_lag_seconds') === undefined) {
    collectDefaultMetrics({ register: registry });
  }
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

/** The metric of that name in the process's registry, made by the first who asks: two bundles of this module share it. */
export function metricOnce<T extends Metric>(name: string, make: (registers: Registry[]) => T): T {
  const registry = metricsRegistry();
  return (registry.getSingleMetric(name) as T | undefined) ?? make([registry]);
}

/** A gauge whose figures are read from elsewhere: one, or one for each value of its label. */
export interface ReadGauge {
  name: string;
  help: string;
  label?: string;
}

/**
 * Puts figures in the place of those the gauge had: a number, or pairs of the label's value and a number. It is made here
 * and not before, since a gauge without a label says 0 from its beginning, when the true figure is not known yet.
 */
export function setGauge(
  { name, help, label }: ReadGauge,
  figures: number | Iterable<readonly [string, number]>,
): void {
  const labelNames = label === undefined ? [] : [label];
  const gauge = metricOnce(name, (registers) => new Gauge({ name, help, labelNames, registers }));
  gauge.reset();
  if (typeof figures === 'number') gauge.set(figures);
  else for (const [value, figure] of figures) gauge.set({ [label ?? '']: value }, figure);
}
