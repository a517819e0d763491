'use client';

import { CalendarRange } from 'lucide-react';
import { ApiError } from '@/components/auth-session/api-error';
import { formatRange } from '@/components/charts/format-bucket';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorPanel, MissingPage } from '@/components/ui/error-panel';
import { InlineError } from '@/components/ui/inline-error';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import { RANGES, type RangeName } from '@/lib/stats/range-policy';
import type { ProjectStats } from '@/lib/stats/schema';
import { CustomRange } from './custom-range';
import { FailingTargets } from './failing-targets';
import { formatCount, formatShare } from './format-figures';
import { HeadlineFigures } from './headline-figures';
import { deliveriesPath } from './links';
import { LatencyChart, OutcomesChart, TrafficChart } from './overview-charts';
import { PresentState } from './present-state';
import { type ChosenRange, useChosenRange, useHasEvent, useStats } from './use-overview';

const LABELS: Record<RangeName, string> = {
  '1h': 'Last hour',
  '6h': 'Last 6 hours',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};

const REASONS = [
  ['serverErrors', 'Server error', '5xx'],
  ['clientErrors', 'Rejected', '4xx'],
  ['redirects', 'Redirect', '3xx'],
  ['timeouts', 'Timeout', 'no response in time'],
  ['noResponses', 'No response', 'host, connection or TLS'],
] as const;

/** The page that a project opens on: how its events fare, over a range of time. */
export function OverviewPage({ projectId }: { projectId: string }) {
  const { chosen, choose, chooseTimes } = useChosenRange();
  const { stats, error, isStale, reload } = useStats(projectId, chosen);
  const hasEvent = useHasEvent(projectId, stats !== undefined && isQuiet(stats));
  const isRefused = error instanceof ApiError && error.status === 403;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <MissingPage
        title="Project not found"
        sentence="Check the URL. It may have been deleted."
        back={{ href: '/', label: 'Your projects' }}
      />
    );
  }
  return (
    <>
      <PageHeader
        title="Overview"
        description="How your events are delivered."
        actions={<RangePicker chosen={chosen} choose={choose} chooseTimes={chooseTimes} />}
      />
      {stats === undefined || isRefused ? (
        error ? (
          <ErrorPanel what="We couldn’t load the overview" error={error} onRetry={() => void reload()} />
        ) : (
          <OverviewSkeleton />
        )
      ) : hasEvent === false ? (
        <NothingYet projectId={projectId} />
      ) : (
        <div className={cn('grid gap-4 transition-opacity', isStale && 'opacity-60')} aria-busy={isStale}>
          {error ? <InlineError what="We couldn’t update the figures" error={error} /> : null}
          <HeadlineFigures projectId={projectId} stats={stats} />
          <OutcomesChart projectId={projectId} stats={stats} />
          <div className="grid gap-4 lg:grid-cols-2">
            <LatencyChart projectId={projectId} stats={stats} />
            <TrafficChart projectId={projectId} stats={stats} />
          </div>
          <div className="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <FailingTargets projectId={projectId} stats={stats} />
            <div className="grid min-w-0 gap-4 lg:grid-rows-[auto_1fr]">
              <FailureReasons projectId={projectId} stats={stats} />
              <PresentState projectId={projectId} stats={stats} />
            </div>
          </div>
        </div>
      )}
    </>
  );
}

/** Nothing happened in this range, so it is worth asking whether anything ever did. */
function isQuiet({ totals: { events, attempts, incoming } }: ProjectStats): boolean {
  const counts = [events, attempts.succeeded, attempts.failed, incoming.verified, incoming.unsigned, incoming.rejected];
  return counts.every((count) => count === 0);
}

function NothingYet({ projectId }: { projectId: string }) {
  return (
    <EmptyState
      title="No events yet"
      sentence="Delivery statistics appear here after your first event. The setup guide gets you there in about three minutes."
      action={
        <Button asChild variant="primary">
          <Link href={`/?project=${projectId}`}>Open the setup guide</Link>
        </Button>
      }
    />
  );
}

function OverviewSkeleton() {
  return (
    <div className="grid gap-4">
      <LoadingLabel>Loading the overview</LoadingLabel>
      <Skeleton className="h-28 w-full max-lg:h-56" />
      <Skeleton className="h-96 w-full" />
      <div className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-72 w-full" />
        <Skeleton className="h-72 w-full" />
      </div>
    </div>
  );
}

/** Failed attempts by reason, most first. */
function FailureReasons({ projectId, stats }: { projectId: string; stats: ProjectStats }) {
  const { failures, attempts } = stats.totals;
  const found = REASONS.map(([name, label, about]) => ({ label, about, count: failures[name] }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  return (
    <Card title="Why attempts failed">
      {found.length === 0 ? (
        <p className="text-muted text-sm">No attempt failed.</p>
      ) : (
        <ul className="grid gap-3">
          {found.map(({ label, about, count }) => (
            <li key={label}>
              <p className="flex items-baseline justify-between gap-3 text-sm">
                <span className="min-w-0">
                  {label} <span className="text-muted text-xs">{about}</span>
                </span>
                <Link
                  href={deliveriesPath(projectId, stats)}
                  prefetch={false}
                  className="shrink-0 rounded-sm text-xs tabular-nums hover:underline"
                >
                  {formatCount(count)}{' '}
                  <span className="inline-block w-10 text-right text-muted">{formatShare(count, attempts.failed)}</span>
                </Link>
              </p>
              <span aria-hidden="true" className="mt-1.5 block h-1.5 rounded-full bg-sunken">
                <span
                  className="block h-full rounded-full bg-chart-danger"
                  style={{ width: `max(4px, ${(count / Math.max(1, attempts.failed)) * 100}%)` }}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Chooses the range of the overview: one of five, or two times. */
function RangePicker({
  chosen,
  choose,
  chooseTimes,
}: {
  chosen: ChosenRange;
  choose: (name: RangeName) => void;
  chooseTimes: (times: { from: string; to: string }) => void;
}) {
  const item =
    'inline-flex h-7 items-center gap-1.5 whitespace-nowrap rounded-md px-2.5 font-medium text-xs text-muted hover:text-text aria-pressed:bg-raised aria-pressed:text-text aria-pressed:shadow-raised';
  return (
    <fieldset className="flex max-w-full items-center gap-0.5 rounded-lg bg-sunken p-0.5">
      <legend className="sr-only">Range</legend>
      {(Object.keys(RANGES) as RangeName[]).map((name) => (
        <button
          key={name}
          type="button"
          title={LABELS[name]}
          aria-label={`${name}: ${LABELS[name].toLowerCase()}`}
          aria-pressed={chosen.name === name}
          className={item}
          onClick={() => choose(name)}
        >
          {name}
        </button>
      ))}
      <CustomRange chosen={chosen} onChoose={chooseTimes}>
        <button type="button" aria-pressed={chosen.name === null} className={cn(item, 'min-w-0')}>
          <CalendarRange aria-hidden="true" className="size-3.5 shrink-0" />
          <span className="truncate">{chosen.from && chosen.to ? formatRange(chosen.from, chosen.to) : 'Custom'}</span>
        </button>
      </CustomRange>
    </fieldset>
  );
}
