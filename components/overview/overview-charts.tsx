'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { ChartCard } from '@/components/charts/chart-card';
import type { TimeAxis } from '@/components/charts/chart-scale';
import { timeZoneName } from '@/components/charts/format-bucket';
import { useProjectId } from '@/components/projects/use-projects';
import { formatDuration } from '@/components/ui/format-time';
import type { ProjectStats, StatsBucket } from '@/lib/stats/schema';
import { formatCompact, formatCount } from './format-figures';
import { deliveriesPath, eventsPath, incomingPath, type Period } from './use-overview';

interface ChartProps {
  stats: ProjectStats;
}

const axisOf = ({ buckets, bucketSeconds }: ProjectStats): TimeAxis => ({
  starts: buckets.map(({ startsAt }) => startsAt),
  bucketSeconds,
});

function periodOf({ buckets, bucketSeconds }: ProjectStats, index: number): Period {
  const from = new Date(buckets[index]?.startsAt ?? 0);
  return { from: from.toISOString(), to: new Date(from.getTime() + bucketSeconds * 1000 - 1).toISOString() };
}

/** Failed attempts that are followed by a retry. A delivery can also fail without an attempt. */
const retriedIn = ({ attempts, deliveries }: Pick<StatsBucket, 'attempts' | 'deliveries'>) =>
  Math.max(0, attempts.failed - deliveries.failed);

/** Attempts by outcome over time. */
export function OutcomesChart({ stats }: ChartProps) {
  const projectId = useProjectId();
  const router = useRouter();
  const { buckets, totals } = stats;
  return (
    <ChartCard
      title="Outcomes"
      description={`Delivery attempts. Times in ${timeZoneName()}`}
      kind="bars"
      className="h-64"
      axis={axisOf(stats)}
      format={formatCount}
      empty="No attempts in this range."
      onOpen={(index) => router.push(deliveriesPath(projectId, periodOf(stats, index)))}
      series={[
        {
          label: 'Succeeded',
          color: '--chart-success',
          values: buckets.map(({ attempts }) => attempts.succeeded),
          total: formatCount(totals.attempts.succeeded),
          href: deliveriesPath(projectId, stats, { status: 'SUCCEEDED' }),
        },
        {
          label: 'Failed, retried later',
          color: '--chart-warning',
          values: buckets.map(retriedIn),
          total: formatCount(retriedIn(totals)),
          href: deliveriesPath(projectId, stats),
        },
        {
          label: 'Failed permanently',
          color: '--chart-danger',
          values: buckets.map(({ deliveries }) => deliveries.failed),
          total: formatCount(totals.deliveries.failed),
          href: deliveriesPath(projectId, stats, { status: 'FAILED' }),
        },
      ]}
    />
  );
}

const MEASURES = {
  deliveryLatency: { label: 'Delivery', about: 'From 202 to success, log scale' },
  attemptDuration: { label: 'Attempt', about: 'Time per request, log scale' },
} as const;

/** Median and 95th percentile over time, of deliveries or of attempts. */
export function LatencyChart({ stats }: ChartProps) {
  const projectId = useProjectId();
  const router = useRouter();
  const [measure, setMeasure] = useState<keyof typeof MEASURES>('deliveryLatency');
  const total = stats.totals[measure];
  return (
    <ChartCard
      title="Latency"
      description={MEASURES[measure].about}
      kind="lines"
      className="h-44"
      axis={axisOf(stats)}
      format={formatDuration}
      unit="ms"
      empty="No measurements in this range."
      onOpen={(index) => router.push(deliveriesPath(projectId, periodOf(stats, index)))}
      controls={
        <fieldset className="flex rounded-md bg-sunken p-0.5">
          <legend className="sr-only">What is measured</legend>
          {(Object.keys(MEASURES) as (keyof typeof MEASURES)[]).map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={measure === name}
              className="h-6 rounded px-2 font-medium text-muted text-xs hover:text-text aria-pressed:bg-raised aria-pressed:text-text aria-pressed:shadow-raised"
              onClick={() => setMeasure(name)}
            >
              {MEASURES[name].label}
            </button>
          ))}
        </fieldset>
      }
      series={[
        {
          label: 'p50',
          color: '--chart-primary',
          values: stats.buckets.map((bucket) => bucket[measure]?.p50Ms ?? null),
          ...(total === null ? {} : { total: formatDuration(total.p50Ms) }),
        },
        {
          label: 'p95',
          color: '--chart-secondary',
          values: stats.buckets.map((bucket) => bucket[measure]?.p95Ms ?? null),
          ...(total === null ? {} : { total: formatDuration(total.p95Ms) }),
        },
      ]}
    />
  );
}

/** Events that were sent beside those that came in. */
export function TrafficChart({ stats }: ChartProps) {
  const projectId = useProjectId();
  const router = useRouter();
  const { buckets, totals } = stats;
  const accepted = ({ incoming }: Pick<StatsBucket, 'incoming'>) => incoming.verified + incoming.unsigned;
  return (
    <ChartCard
      title="Traffic"
      description="Outgoing and incoming events"
      kind="lines"
      className="h-44"
      axis={axisOf(stats)}
      format={formatCompact}
      empty="No events in this range."
      onOpen={(index) => router.push(eventsPath(projectId, periodOf(stats, index)))}
      series={[
        {
          label: 'Events',
          color: '--chart-primary',
          values: buckets.map(({ events }) => events),
          total: formatCount(totals.events),
          href: eventsPath(projectId, stats),
        },
        {
          label: 'Incoming',
          color: '--chart-success',
          values: buckets.map(accepted),
          total: formatCount(accepted(totals)),
          href: incomingPath(projectId, stats),
        },
        {
          label: 'Incoming, not verified',
          color: '--chart-danger',
          values: buckets.map(({ incoming }) => incoming.rejected),
          total: formatCount(totals.incoming.rejected),
          href: incomingPath(projectId, stats, 'false'),
        },
      ]}
    />
  );
}
