'use client';

import { ApiError } from '@/components/auth-session/api-error';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorPanel, MissingPage } from '@/components/ui/error-panel';
import { InlineError } from '@/components/ui/inline-error';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import type { ProjectStats } from '@/lib/stats/schema';
import { FailingTargets } from './failing-targets';
import { FailureReasons } from './failure-reasons';
import { HeadlineFigures } from './headline-figures';
import { LatencyChart, OutcomesChart, TrafficChart } from './overview-charts';
import { PresentState } from './present-state';
import { RangePicker } from './range-picker';
import { useChosenRange, useHasEvent, useStats } from './use-overview';

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
