import { ArrowDownRight, ArrowRight, ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useProjectId } from '@/components/projects/use-projects';
import { cn } from '@/components/ui/cn';
import {
  type Change,
  changeOf,
  formatCompact,
  formatCount,
  formatRate,
  formatShare,
  pointsBetween,
} from '@/components/ui/format-figures';
import { formatDuration } from '@/components/ui/format-time';
import { Link } from '@/components/ui/link';
import type { ProjectStats } from '@/lib/stats/schema';
import { deliveriesPath, eventsPath } from './use-overview';

const ARROWS = { up: ArrowUpRight, down: ArrowDownRight, same: ArrowRight };

/** The figures of the range: how much, how well, how fast. */
export function HeadlineFigures({ stats }: { stats: ProjectStats }) {
  const projectId = useProjectId();
  const { totals, previousTotals: before } = stats;
  const sharesOf = ({ attempts: { succeeded, failed } }: typeof totals) => ({
    part: succeeded,
    total: succeeded + failed,
  });
  const shares = sharesOf(totals);
  const elapsedSeconds = (Math.min(Date.now(), Date.parse(stats.to)) - Date.parse(stats.from)) / 1000;
  const succeeded = deliveriesPath(projectId, stats, { status: 'SUCCEEDED' });
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-border shadow-raised lg:grid-cols-4">
      <FigureTile
        label="Events"
        value={formatCompact(totals.events)}
        change={changeOf(totals.events, before?.events)}
        note={totals.events === 0 ? 'None accepted' : formatRate(totals.events, elapsedSeconds)}
        href={eventsPath(projectId, stats)}
      />
      <FigureTile
        label="Success rate"
        value={formatShare(shares.part, shares.total)}
        change={pointsBetween(shares, before === null ? null : sharesOf(before))}
        goodWhen="up"
        note={shares.total === 0 ? 'No attempts' : `of ${formatCount(shares.total)} attempts`}
        href={deliveriesPath(projectId, stats, { status: 'FAILED' })}
      />
      <FigureTile
        label="Delivery latency, p95"
        value={totals.deliveryLatency === null ? null : formatDuration(totals.deliveryLatency.p95Ms)}
        change={changeOf(totals.deliveryLatency?.p95Ms ?? null, before?.deliveryLatency?.p95Ms)}
        goodWhen="down"
        note={
          totals.deliveryLatency === null
            ? 'From 202 to success'
            : `From 202 to success · p50 ${formatDuration(totals.deliveryLatency.p50Ms)}`
        }
        href={succeeded}
      />
      <FigureTile
        label="Attempt duration, p95"
        value={totals.attemptDuration === null ? null : formatDuration(totals.attemptDuration.p95Ms)}
        change={changeOf(totals.attemptDuration?.p95Ms ?? null, before?.attemptDuration?.p95Ms)}
        goodWhen="down"
        note={
          totals.attemptDuration === null
            ? 'Time per request'
            : `Time per request · p50 ${formatDuration(totals.attemptDuration.p50Ms)}`
        }
        href={deliveriesPath(projectId, stats)}
      />
    </dl>
  );
}

function FigureTile({
  label,
  value,
  change,
  goodWhen,
  note,
  href,
}: {
  label: string;
  /** Null: nothing to measure. */
  value: string | null;
  change: Change | null;
  /** Which direction is an improvement; neither is for a plain number. */
  goodWhen?: 'up' | 'down';
  note: ReactNode;
  href: string;
}) {
  return (
    <div className="relative min-w-0 bg-surface p-4 transition-colors hover:bg-sunken/60 sm:p-5">
      <dt className="text-muted text-sm">
        <Link
          href={href}
          prefetch={false}
          className="rounded-sm after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent-text focus-visible:after:-outline-offset-2"
        >
          {label}
        </Link>
      </dt>
      <dd className="mt-1">
        <span className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
          <span className="font-semibold text-2xl tabular-nums tracking-tight">{value ?? '–'}</span>
          {change === null ? null : <ChangeMark change={change} goodWhen={goodWhen} />}
        </span>
        <span className="mt-1 block text-muted text-xs">{note}</span>
      </dd>
    </div>
  );
}

function ChangeMark({ change, goodWhen }: { change: Change; goodWhen: 'up' | 'down' | undefined }) {
  const Arrow = ARROWS[change.direction];
  const isJudged = goodWhen !== undefined && change.direction !== 'same';
  return (
    <span
      title="Compared with the previous period"
      className={cn(
        'inline-flex items-center gap-0.5 font-medium text-xs tabular-nums',
        !isJudged ? 'text-muted' : change.direction === goodWhen ? 'text-success-text' : 'text-danger-text',
      )}
    >
      <Arrow aria-hidden="true" className="size-3.5" />
      {change.text}
      <span className="sr-only"> compared with the previous period</span>
    </span>
  );
}
