import { Counter } from 'prom-client';
import { log } from '@/lib/platform/log';
import { metricOnce } from '@/lib/platform/metrics';
import type { Collector } from '@/lib/platform/metrics-collectors';
import { type CounterRow, listCounts } from '@/lib/platform/metrics-counters-sql';
import { readFigures } from '@/lib/platform/read-figures';
import { showHistogram } from '@/lib/platform/shared-histogram-metric';
import { countsName, type SharedHistogram } from '@/lib/platform/shared-histograms';

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
  const counter = metricOnce(name, (registers) => new Counter({ name, help, labelNames, registers }));
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
