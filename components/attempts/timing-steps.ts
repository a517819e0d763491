import { formatDuration } from '@/components/ui/format-time';
import type { Exchanged } from '@/lib/delivery/schema';

/** A bar of the timing of an attempt. */
export interface TimingStep {
  name: string;
  startMs: number;
  ms: number;
  /** Whether the attempt ended during this step. */
  hasFailed: boolean;
}

type Timed = Pick<Exchanged, 'durationMs' | 'timing' | 'succeeded'>;

/** Returns the steps of an attempt in their order, without those that did not happen. Empty if they were not measured. */
export function timingStepsOf({ durationMs, timing }: Timed): TimingStep[] {
  if (timing === null) return [];
  const { dnsMs, connectMs, tlsMs, firstByteMs, reusedConnection } = timing;
  const steps: Omit<TimingStep, 'hasFailed'>[] = [];
  let startMs = 0;
  const add = (name: string, ms: number | null) => {
    if (ms === null) return;
    steps.push({ name, startMs, ms });
    startMs += ms;
  };
  add('DNS lookup', dnsMs);
  add('Connect', connectMs);
  add('TLS handshake', tlsMs);
  const endMs = Math.max(durationMs, firstByteMs ?? 0, startMs);
  if (firstByteMs !== null) {
    add('Waiting', Math.max(0, firstByteMs - startMs));
    add('Reading', Math.max(0, endMs - startMs));
  } else if (reusedConnection || endMs - startMs >= 1) {
    // Without a response, what is left after connecting was waiting. Less than a millisecond is rounding.
    add('Waiting', endMs - startMs);
  }
  return steps.map((step, at) => ({ ...step, hasFailed: firstByteMs === null && at === steps.length - 1 }));
}

/** Formats a step like a duration, with fractions of what is below 100 ms: "0.42 ms", "8.4 ms", "120 ms". */
export function formatStep(ms: number): string {
  if (ms >= 99.5) return formatDuration(ms);
  return `${Number(ms.toFixed(ms >= 1 ? 1 : 2))} ms`;
}
