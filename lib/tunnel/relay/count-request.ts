import { Counter } from 'prom-client';
import { declareMetric } from '@/lib/platform/metrics';

const requests = declareMetric(
  'tunnel_requests_total',
  (registers) =>
    new Counter({
      name: 'tunnel_requests_total',
      help: 'Requests to tunnels: relayed, or by the code of the error',
      labelNames: ['result'],
      registers,
    }),
);

/** Counts a request to a tunnel that this process has received. @param result `relayed`, or the code of its error */
export function countTunnelRequest(result: string): void {
  requests().inc({ result });
}
