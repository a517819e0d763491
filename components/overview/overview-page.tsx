'use client';

import { CalendarRange } from 'lucide-react';
import { cloneElement, type FormEvent, type ReactElement, useState } from 'react';
import { ApiError } from '@/components/auth-session/api-error';
import { formatRange, timeZoneName } from '@/components/charts/format-bucket';
import { useProjectId } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorPanel, MissingPage } from '@/components/ui/error-panel';
import { Field } from '@/components/ui/field';
import { formatCount, formatShare } from '@/components/ui/format-figures';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import { fromTimeInput, toTimeInput } from '@/components/ui/time-zone';
import { MAX_SPAN_MS, RANGES, type RangeName } from '@/lib/stats/range-policy';
import type { ProjectStats } from '@/lib/stats/schema';
import { AttentionList } from './attention';
import { FailingTargets } from './failing-targets';
import { HeadlineFigures } from './headline-figures';
import { LatencyChart, OutcomesChart, TrafficChart } from './overview-charts';
import { PresentState } from './present-state';
import { type ChosenRange, deliveriesPath, useChosenRange, useHasEvent, useStats } from './use-overview';

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
export function OverviewPage() {
  const { chosen, choose, chooseTimes } = useChosenRange();
  const { stats, error, isStale, reload } = useStats(chosen);
  const hasEvent = useHasEvent(stats !== undefined && isQuiet(stats));
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
        <NothingYet />
      ) : (
        <div className={cn('grid gap-4 transition-opacity', isStale && 'opacity-60')} aria-busy={isStale}>
          {error ? <InlineError what="We couldn’t update the figures" error={error} /> : null}
          <AttentionList stats={stats} />
          <HeadlineFigures stats={stats} />
          <OutcomesChart stats={stats} />
          <div className="grid gap-4 lg:grid-cols-2">
            <LatencyChart stats={stats} />
            <TrafficChart stats={stats} />
          </div>
          <div className="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <FailingTargets stats={stats} />
            <div className="grid min-w-0 gap-4 lg:grid-rows-[auto_1fr]">
              <FailureReasons stats={stats} />
              <PresentState stats={stats} />
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

function NothingYet() {
  const projectId = useProjectId();
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
      <Skeleton className="h-5 w-48" />
      <Skeleton className="h-28 w-full max-lg:h-56" />
      <Skeleton className="h-96 w-full" />
      <div className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-72 w-full" />
        <Skeleton className="h-72 w-full" />
      </div>
    </div>
  );
}

function FailureReasons({ stats }: { stats: ProjectStats }) {
  const projectId = useProjectId();
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

const DAY_MS = 86_400_000;

/** Opens a dialog for a range of two times, in the reader's time zone. */
function CustomRange({
  chosen,
  onChoose,
  children,
}: {
  chosen: ChosenRange;
  onChoose: (times: { from: string; to: string }) => void;
  /** The button that opens it. */
  children: ReactElement<{ onClick?: () => void }>;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      {cloneElement(children, { onClick: () => setOpen(true) })}
      <Dialog open={open} onOpenChange={setOpen} title="Custom range" description={`Times in ${timeZoneName()}`}>
        <RangeForm
          chosen={chosen}
          onChoose={(times) => {
            setOpen(false);
            onChoose(times);
          }}
        />
      </Dialog>
    </>
  );
}

function RangeForm({
  chosen,
  onChoose,
}: {
  chosen: ChosenRange;
  onChoose: (times: { from: string; to: string }) => void;
}) {
  const [from, setFrom] = useState(() => toTimeInput(chosen.from ?? new Date(Date.now() - DAY_MS).toISOString()));
  const [to, setTo] = useState(() => toTimeInput(chosen.to ?? new Date().toISOString()));
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const start = fromTimeInput(from);
    const end = fromTimeInput(to);
    const fault = findFault(start, end);
    setError(fault);
    if (fault === undefined) onChoose({ from: start.toISOString(), to: end.toISOString() });
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Field label="From">
        {(control) => (
          <Input {...control} type="datetime-local" value={from} onChange={(event) => setFrom(event.target.value)} />
        )}
      </Field>
      <Field label="To" error={error}>
        {(control) => (
          <Input {...control} type="datetime-local" value={to} onChange={(event) => setTo(event.target.value)} />
        )}
      </Field>
      <DialogActions>
        <Button type="submit" variant="primary">
          Show range
        </Button>
      </DialogActions>
    </form>
  );
}

function findFault(from: Date, to: Date): string | undefined {
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) return 'Enter both times.';
  if (from >= to) return 'The end must be after the start.';
  return to.getTime() - from.getTime() > MAX_SPAN_MS ? 'A range can’t exceed 35 days.' : undefined;
}
