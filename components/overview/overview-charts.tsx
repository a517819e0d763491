'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { ChartCard } from '@/components/charts/chart-card';
import { timeZoneName } from '@/components/charts/format-bucket';
import { useProjectId } from '@/components/projects/use-projects';
import { formatCompact, formatCount } from '@/components/ui/format-figures';
import { formatDuration } from '@/components/ui/format-time';
import type { ProjectStats, StatsBucket } from '@/lib/stats/schema';
import { deliveriesPath, eventsPath, incomingPath, type Period } from './use-overview';

interface ChartProps {
  stats: ProjectStats;
}

type Counts = Omit<StatsBucket, 'startsAt'>;

/** What the charts of the range share. A bucket opens its rows, at the path that `pathOf` returns. */
function useChart({ buckets, bucketSeconds }: ProjectStats, pathOf: typeof deliveriesPath | typeof eventsPath) {
  const projectId = useProjectId();
  const router = useRouter();
  const periodOf = (index: number): Period => {
    const from = new Date(buckets[index]?.startsAt ?? 0);
    return { from: from.toISOString(), to: new Date(from.getTime() + bucketSeconds * 1000 - 1).toISOString() };
  };
  return {
    axis: { starts: buckets.map(({ startsAt }) => startsAt), bucketSeconds },
    onOpen: (index: number) => router.push(pathOf(projectId, periodOf(index))),
  };
}

/** A series that counts something in each bucket and in total, and links to its rows. */
function countsOf(stats: ProjectStats, label: string, color: string, count: (counts: Counts) => number, href: string) {
  return { label, color, values: stats.buckets.map(count), total: formatCount(count(stats.totals)), href };
}

/** Failed attempts that are followed by a retry. A delivery can also fail without an attempt. */
const retriedIn = ({ attempts, deliveries }: Counts) => Math.max(0, attempts.failed - deliveries.failed);

/** Attempts by outcome over time. */
export function OutcomesChart({ stats }: ChartProps) {
  const projectId = useProjectId();
  const pathOf = (status?: 'SUCCEEDED' | 'FAILED') => deliveriesPath(projectId, stats, status && { status });
  return (
    <ChartCard
      {...useChart(stats, deliveriesPath)}
      title="Outcomes"
      description={`Delivery attempts. Times in ${timeZoneName()}`}
      kind="bars"
      className="h-64"
      format={formatCount}
      formatTick={formatCompact}
      empty="No attempts in this range."
      series={[
        countsOf(stats, 'Succeeded', '--chart-success', ({ attempts }) => attempts.succeeded, pathOf('SUCCEEDED')),
        countsOf(stats, 'Failed, retried later', '--chart-warning', retriedIn, pathOf()),
        countsOf(
          stats,
          'Failed permanently',
          '--chart-danger',
          ({ deliveries }) => deliveries.failed,
          pathOf('FAILED'),
        ),
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
  const [measure, setMeasure] = useState<keyof typeof MEASURES>('deliveryLatency');
  const total = stats.totals[measure];
  const percentile = (label: string, color: string, name: 'p50Ms' | 'p95Ms') => ({
    label,
    color,
    values: stats.buckets.map((bucket) => bucket[measure]?.[name] ?? null),
    ...(total === null ? {} : { total: formatDuration(total[name]) }),
  });
  return (
    <ChartCard
      {...useChart(stats, deliveriesPath)}
      title="Latency"
      description={MEASURES[measure].about}
      kind="lines"
      className="h-44"
      format={formatDuration}
      unit="ms"
      empty="No measurements in this range."
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
      series={[percentile('p50', '--chart-primary', 'p50Ms'), percentile('p95', '--chart-secondary', 'p95Ms')]}
    />
  );
}

/** Events that were sent beside those that came in. */
export function TrafficChart({ stats }: ChartProps) {
  const projectId = useProjectId();
  return (
    <ChartCard
      {...useChart(stats, eventsPath)}
      title="Traffic"
      description="Outgoing and incoming events"
      kind="lines"
      className="h-44"
      format={formatCount}
      formatTick={formatCompact}
      empty="No events in this range."
      series={[
        countsOf(stats, 'Events', '--chart-primary', ({ events }) => events, eventsPath(projectId, stats)),
        countsOf(
          stats,
          'Incoming',
          '--chart-success',
          ({ incoming }) => incoming.verified + incoming.unsigned,
          incomingPath(projectId, stats),
        ),
        countsOf(
          stats,
          'Incoming, not verified',
          '--chart-danger',
          ({ incoming }) => incoming.rejected,
          incomingPath(projectId, stats, 'false'),
        ),
      ]}
    />
  );
}
