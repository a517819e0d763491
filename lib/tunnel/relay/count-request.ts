import { Counter } from 'prom-client';
import { metricOnce } from '@/lib/platform/metrics';

/** Counts a request to a tunnel that this process has received. @param result `relayed`, or the code of its error */
export function countTunnelRequest(result: string): void {
  const name = 'tunnel_requests_total';
  const help = 'Requests to tunnels: relayed, or by the code of the error';
  metricOnce(name, (registers) => new Counter({ name, help, labelNames: ['result'], registers })).inc({ result });
}
