import type { Endpoint } from '@/lib/delivery/schema';

/** Says what a delivery without an attempt waits for: "Waits for the endpoint’s rate limit of 10 per minute". */
export function describeFirstWait(rateLimit: Endpoint['rateLimit']): string {
  if (rateLimit === null) return 'Waiting for the first attempt';
  return `Waits for the endpoint’s rate limit of ${rateLimit.requests} ${windowOf(rateLimit.seconds)}`;
}

function windowOf(seconds: number): string {
  if (seconds === 1) return 'per second';
  if (seconds === 60) return 'per minute';
  return seconds === 3600 ? 'per hour' : `in ${seconds} s`;
}
