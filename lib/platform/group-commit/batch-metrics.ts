import { Histogram } from 'prom-client';
import { metricOnce } from '@/lib/platform/metrics';

/** A batch has at most 64 rows. */
const BUCKETS = [1, 2, 4, 8, 16, 32, 64];

/** Notes the size of a batch. @param what its rows, such as `incoming events` */
export function observeBatch(what: string, rows: number): void {
  const name = 'ingest_batch_rows';
  const help = 'Rows that one statement stores, of events or incoming events';
  const make = (registers: NonNullable<ConstructorParameters<typeof Histogram>[0]['registers']>) =>
    new Histogram({ name, help, labelNames: ['kind'], buckets: BUCKETS, registers });
  metricOnce(name, make).observe({ kind: what.replace(' ', '_') }, rows);
}
