import { cn } from '@/components/ui/cn';
import { formatDuration } from '@/components/ui/format-time';
import type { Exchanged } from '@/lib/delivery/schema';

/** Where the time of an attempt went, as a table with a bar for each step. */
export function TimingBars({ exchange }: { exchange: Exchanged }) {
  const steps = timingStepsOf(exchange);
  const last = steps.at(-1);
  if (last === undefined) return null;
  const totalMs = Math.max(last.startMs + last.ms, 0.01);
  const percent = (ms: number) => `${(100 * ms) / totalMs}%`;
  return (
    <table className="w-full table-fixed text-xs">
      <caption className="sr-only">Timing</caption>
      <colgroup>
        <col className="w-28" />
        <col />
        <col className="w-20" />
      </colgroup>
      <thead className="sr-only">
        <tr>
          <th scope="col">Step</th>
          <th scope="col">Share</th>
          <th scope="col">Duration</th>
        </tr>
      </thead>
      <tbody>
        {steps.map(({ name, startMs, ms, hasFailed }) => (
          <tr key={name}>
            <th scope="row" className={cn('py-1 text-left font-normal', hasFailed ? 'text-danger-text' : 'text-muted')}>
              {name}
              {hasFailed ? <span className="sr-only">, failed</span> : null}
            </th>
            <td className="py-1">
              <span className="sr-only">{Math.round((100 * ms) / totalMs)}%</span>
              <span aria-hidden="true" className="relative block h-2 overflow-hidden rounded-full bg-sunken">
                <span
                  className={cn('absolute inset-y-0 min-w-0.5 rounded-full', hasFailed ? 'bg-danger' : COLORS[name])}
                  style={{ left: `min(${percent(startMs)}, calc(100% - 2px))`, width: percent(ms) }}
                />
              </span>
            </td>
            <td className="py-1 text-right tabular-nums">{formatStep(ms)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const COLORS: Record<string, string> = {
  'DNS lookup': 'bg-border-strong',
  Connect: 'bg-border-strong',
  'TLS handshake': 'bg-border-strong',
  Waiting: 'bg-accent',
  Reading: 'bg-success-text',
};

/** A bar of the timing of an attempt. */
interface TimingStep {
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
