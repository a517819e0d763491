import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import { once } from '@/lib/platform/globals';

/** The registry of this process. */
export function metricsRegistry(): Registry {
  return once('metrics-registry', () => new Registry());
}

/** Their names are those of counters, which they are not. `nodejs_active_resources` and its kind have the same figures. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/**
 * Adds the metrics of the process to the registry, once, and those that were declared. Called at the first scrape: sampling the
 * event loop lag wakes the process a hundred times a second, which is most of the work of an idle one.
 */
export function addProcessMetrics(): void {
  const registry = metricsRegistry();
  for (const get of declared) get();
  if (registry.getSingleMetric('nodejs_eventloop_lag_seconds') !== undefined) return;
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}

/** Returns the metric with that name from the registry, and creates it on the first call: both copies of lib/ share it. */
export function metricOnce<T extends Metric>(name: string, make: (registers: Registry[]) => T): T {
  const registry = metricsRegistry();
  return (registry.getSingleMetric(name) as T | undefined) ?? make([registry]);
}

interface Description {
  name: string;
  help: string;
  labelNames?: string[];
}

/** Returns the counter with that name, and creates it on the first call. */
export function counterOnce(description: Description): Counter {
  return metricOnce(description.name, (registers) => new Counter({ ...description, registers }));
}

const declared: (() => Metric)[] = [];

/**
 * Declares a counter of this process and returns what gets it. /metrics shows it from the first scrape on, whether or not something was
 * counted: a dashboard must not ask for a name that is not there.
 */
export function declareCounter(description: Description): () => Counter {
  const get = () => counterOnce(description);
  declared.push(get);
  return get;
}

/** Declares a histogram, like `declareCounter`. */
export function declareHistogram(description: Description & { buckets: number[] }): () => Histogram {
  const get = () => metricOnce(description.name, (registers) => new Histogram({ ...description, registers }));
  declared.push(get);
  return get;
}

const requestSeconds = declareHistogram({
  name: 'http_request_duration_seconds',
  help: 'Seconds from the head of a request to its response, by path template; without those to tunnels',
  labelNames: ['route', 'method', 'status'],
  buckets: [0.005, 0.025, 0.1, 0.5, 2.5],
});

/** Each has eight samples. With the other metrics, /metrics has fewer than 2,000. */
const MAX_REQUEST_SERIES = 170;

/**
 * Notes the duration of a request by its template, method and status. Never by raw path: a client could create unlimited series.
 * Combinations beyond the first 170, and methods that routes do not serve, share a series for each class of statuses.
 */
export function observeRequest(labels: { route: string; method: string; status: number }, seconds: number): void {
  const seen = once('request-series', () => new Set<string>());
  const series = `${labels.method} ${labels.status} ${labels.route}`;
  // Anyone can send these to each route.
  const isServed = labels.method !== 'other' && labels.method !== 'OPTIONS' && labels.status !== 405;
  if (isServed && seen.size < MAX_REQUEST_SERIES) seen.add(series);
  const kept = seen.has(series)
    ? labels
    : { route: '(rare)', method: 'other', status: `${Math.floor(labels.status / 100)}xx` };
  requestSeconds().observe(kept, seconds);
}

/** A gauge with figures from elsewhere: one, or one per value of its label. */
interface ReadGauge {
  name: string;
  help: string;
  label?: string;
}

/**
 * Replaces the figures of a gauge: a number, null while there is none, or pairs of label value and number. The gauge is created here
 * and not before, because one without a label would show 0 until the true figure is known.
 */
export function setGauge(
  { name, help, label }: ReadGauge,
  figures: number | null | Iterable<readonly [string, number]>,
): void {
  const labelNames = label === undefined ? [] : [label];
  const gauge = metricOnce(name, (registers) => new Gauge({ name, help, labelNames, registers }));
  gauge.reset();
  if (figures === null) gauge.remove();
  else if (typeof figures === 'number') gauge.set(figures);
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
