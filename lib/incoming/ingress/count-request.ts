import { Counter } from 'prom-client';
import { declareMetric } from '@/lib/platform/metrics';

type IngressResult = 'stored' | 'repeated' | 'unverified' | 'unverified_dropped' | 'challenged';

const requests = declareMetric(
  'ingress_requests_total',
  (registers) =>
    new Counter({
      name: 'ingress_requests_total',
      help: 'Requests to sources: stored, repeated by the provider, without a valid signature (kept or dropped), challenged',
      labelNames: ['result'],
      registers,
    }),
);

/** Counts a request to a source of this process, by its result. */
export function countRequest(result: IngressResult): void {
  requests().inc({ result });
}
