import { formatDuration } from '@/lib/cli/output/format-duration';
import type { AttemptTiming } from '@/lib/delivery/schema';

/** Describes where the time of an attempt went, such as "DNS 12 ms, connect 20 ms, response after 87 ms"; null if that is unknown. */
export function describeTiming(timing: AttemptTiming | null): string | null {
  if (timing === null) return null;
  const { reusedConnection, dnsMs, connectMs, tlsMs, firstByteMs } = timing;
  const step = (name: string, ms: number | null) => (ms === null ? [] : [`${name} ${formatDuration(ms)}`]);
  const steps = [
    ...(reusedConnection ? ['open connection'] : []),
    ...step('DNS', dnsMs),
    ...step('connect', connectMs),
    ...step('TLS', tlsMs),
    ...step('response after', firstByteMs),
  ];
  return steps.length === 0 ? null : steps.join(', ');
}

/** Returns headers as lines of `name: value`. */
export function headerText(headers: readonly (readonly [string, string])[]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}
