import { onTestFinished } from 'vitest';
import { type Balancer, openBalancer } from '@/tests/http/balancer';

/** Starts a load balancer in front of web processes; it closes after the test. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const balancer = await openBalancer(ports);
  onTestFinished(() => balancer.close());
  return balancer;
}
