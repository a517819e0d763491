import { Histogram } from 'prom-client';
import { declareMetric } from '@/lib/platform/metrics';

const batchRows = declareMetric(
  'ingest_batch_rows',
  (registers) =>
    new Histogram({
      name: 'ingest_batch_rows',
      help: 'Rows that one statement stores, of events or incoming events',
      labelNames: ['kind'],
      // A batch has at most 64 rows.
      buckets: [1, 2, 4, 8, 16, 32, 64],
      registers,
    }),
);

/** Notes the size of a batch. @param what its rows, such as `incoming events` */
export function observeBatch(what: string, rows: number): void {
  batchRows().observe({ kind: what.replace(' ', '_') }, rows);
}
