import { Counter } from 'prom-client';
import { metricOnce } from '@/lib/platform/metrics';

type IngressResult = 'stored' | 'repeated' | 'unverified' | 'unverified_dropped' | 'challenged';

/** Counts a request to a source of this process, by its result. */
export function countRequest(result: IngressResult): void {
  const name = 'ingress_requests_total';
  const help =
    'Requests to sources: stored, repeated by the provider, without a valid signature (kept or dropped), challenged';
  metricOnce(name, (registers) => new Counter({ name, help, labelNames: ['result'], registers })).inc({ result });
}
