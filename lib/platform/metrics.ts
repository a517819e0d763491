import { collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import { once } from '@/lib/platform/globals';

/** The registry of this process. */
export function metricsRegistry(): Registry {
  return once('metrics-registry', () => new Registry());
}

/**
 * Adds the metrics of the process to the registry, once. Called at the first scrape: sampling the event loop lag wakes the
 * process a hundred times a second, which is most of the work of an idle one.
 */
export function addProcessMetrics(): void {
  const registry = metricsRegistry();
  if (registry.getSingleMetric('nodejs_eventloop_lag_seconds') === undefined) {
    collectDefaultMetrics({ register: registry });
  }
}

/** Request durations by route template, method and status. Never by raw path: a client could create unlimited series. */
export function requestSeconds(): Histogram<'route' | 'method' | 'status'> {
  return once(
    'request-seconds',
    () =>
      new Histogram({
        name: 'http_request_duration_seconds',
        help: 'Seconds from the head of a request to its response, by path template; without those to tunnels',
        labelNames: ['route', 'method', 'status'],
        buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
        registers: [metricsRegistry()],
      }),
  );
}

/** Returns the metric with that name from the registry, and creates it on the first call: both copies of lib/ share it. */
export function metricOnce<T extends Metric>(name: string, make: (registers: Registry[]) => T): T {
  const registry = metricsRegistry();
  return (registry.getSingleMetric(name) as T | undefined) ?? make([registry]);
}

/** A gauge with figures from elsewhere: one, or one per value of its label. */
interface ReadGauge {
  name: string;
  help: string;
  label?: string;
}

/**
 * Replaces the figures of a gauge: a number, or pairs of label value and number. The gauge is created here and not before,
 * because one without a label would show 0 until the true figure is known.
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

/** Replaces the figures of a gauge with several labels: pairs of labels and number. Created at the first call, like those above. */
export function setLabelledGauge(
  { name, help, labelNames }: { name: string; help: string; labelNames: string[] },
  figures: Iterable<readonly [Record<string, string>, number]>,
): void {
  const gauge = metricOnce(name, (registers) => new Gauge({ name, help, labelNames, registers }));
  gauge.reset();
  for (const [labels, figure] of figures) gauge.set(labels, figure);
}
