import type { Metric } from 'prom-client';
import { log } from './log';
import { counterOnce, metricOnce } from './metrics';
import type { Collector } from './metrics-collectors';
import { countsName, REST_LABEL, type SharedHistogram, SUM_LABEL } from './metrics-counters';
import { type CounterRow, listCounts } from './metrics-sql';
import { readFigures } from './read-figures';

/** A counter that all processes share, stored in metric_counters, as /metrics shows it. */
export interface SharedCounter {
  name: string;
  help: string;
  /** The name of its label; unset without one. */
  label?: string;
  /** Label values that start at 0: without the 0, a rate misses the first count. */
  labelValues?: readonly string[];
  /** Shows one label value of another counter under this name. */
  of?: { name: string; label: string };
}

/** For counters without a description, which only a newer or older version counts. */
const UNDESCRIBED = { help: 'Summed over every process since the service was installed', label: 'kind' };
const NAME = /^[a-z][a-z0-9_]*_total$/;

/** Returns the collector of the shared counters and histograms. Counters that are not described get the label `kind`. */
export function sharedCounters(
  described: readonly SharedCounter[],
  histograms: readonly SharedHistogram[] = [],
): Collector {
  return {
    name: 'shared_counters',
    collect: async () => {
      const rows = await readFigures(listCounts);
      const names = new Set([...described.map(({ name }) => name), ...histograms.map(countsName)]);
      const others = [...new Set(rows.map(({ name }) => name))].filter((name) => !names.has(name) && isName(name));
      for (const counter of [...described, ...others.map((name) => ({ name, ...UNDESCRIBED }))]) show(counter, rows);
      for (const histogram of histograms) showHistogram(histogram, rows);
    },
  };
}

/** Replaces the values of a counter synchronously, so that no other scrape sees part of them. */
function show({ name, help, label, labelValues = [], of }: SharedCounter, rows: readonly CounterRow[]): void {
  const labelNames = label === undefined ? [] : [label];
  const counter = counterOnce({ name, help, labelNames });
  const labelled = (value: string): Record<string, string> => (label === undefined ? {} : { [label]: value });
  counter.reset();
  for (const value of labelValues) counter.inc(labelled(value), 0);
  for (const row of rows) {
    if (of === undefined && row.name === name)
      counter.inc(row.label === '' ? {} : labelled(row.label), Number(row.value));
    if (row.name === of?.name && row.label === of.label) counter.inc(Number(row.value));
  }
}

function isName(name: string): boolean {
  if (NAME.test(name)) return true;
  log().warn({ name }, 'counter not shown: its name is not valid in Prometheus');
  return false;
}

interface Sample {
  metricName: string;
  labels: Record<string, string>;
  value: number;
}

/** Replaces the values of a histogram synchronously, so that no other scrape sees part of them. */
function showHistogram(histogram: SharedHistogram, rows: readonly CounterRow[]): void {
  metricOnce(histogram.name, ([registry]) => {
    const made = new StoredHistogram(histogram);
    registry?.registerMetric(made as unknown as Metric);
    return made as unknown as Metric & StoredHistogram;
  }).show(rows);
}

/** What the registry of prom-client needs of a metric; its own histogram can't take counts from elsewhere. */
class StoredHistogram {
  readonly name: string;
  private samples: Sample[] = [];

  constructor(private readonly histogram: SharedHistogram) {
    this.name = histogram.name;
  }

  show(rows: readonly CounterRow[]): void {
    const { name, buckets } = this.histogram;
    const stored = countsName(this.histogram);
    const counts = new Map(rows.flatMap((row) => (row.name === stored ? [[row.label, Number(row.value)]] : [])));
    let count = 0;
    const bounds = [...buckets.map(String), REST_LABEL].map((le) => {
      count += counts.get(le) ?? 0;
      return { metricName: `${name}_bucket`, labels: { le }, value: count };
    });
    const sum = (counts.get(SUM_LABEL) ?? 0) / 1000;
    this.samples = [
      ...bounds,
      { metricName: `${name}_sum`, labels: {}, value: sum },
      { metricName: `${name}_count`, labels: {}, value: count },
    ];
  }

  async get() {
    const { name, help } = this.histogram;
    return { name, help, type: 'histogram', values: this.samples, aggregator: 'first' };
  }

  reset(): void {
    this.samples = [];
  }
}
