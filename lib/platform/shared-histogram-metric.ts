import type { Metric } from 'prom-client';
import { metricOnce } from '@/lib/platform/metrics';
import type { CounterRow } from '@/lib/platform/metrics-counters-sql';
import { countsName, REST_LABEL, type SharedHistogram, SUM_LABEL } from '@/lib/platform/shared-histograms';

interface Sample {
  metricName: string;
  labels: Record<string, string>;
  value: number;
}

/** Replaces the values of a histogram synchronously, so that no other scrape sees part of them. */
export function showHistogram(histogram: SharedHistogram, rows: readonly CounterRow[]): void {
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
