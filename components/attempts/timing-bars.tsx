import { cn } from '@/components/ui/cn';
import type { Exchanged } from '@/lib/delivery/schema';
import { formatStep, timingStepsOf } from './timing-steps';

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
