'use client';

import { CircleCheck } from 'lucide-react';
import useSWR from 'swr';
import { EndpointState } from '@/components/endpoints/endpoint-state';
import { splitUrl } from '@/components/endpoints/split-url';
import { TargetUrl } from '@/components/endpoints/target-url';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import type { Endpoint } from '@/lib/delivery/schema';
import type { Destination } from '@/lib/incoming/schema';
import type { FailingTarget, ProjectStats } from '@/lib/stats/schema';
import { formatCount, formatShare } from './format-figures';
import { deliveriesPath } from './links';

const REFRESH_MS = 30_000;

type Shown = Pick<Endpoint & Destination, 'description' | 'enabled' | 'disabledReason' | 'failingSince'>;

/** The endpoints and destinations with the most failed attempts. */
export function FailingTargets({ projectId, stats }: { projectId: string; stats: ProjectStats }) {
  const targets = stats.failingTargets;
  return (
    <Card title="Where attempts failed" description="Most failed attempts in this range" flush>
      {targets.length === 0 ? (
        <p className="flex items-center gap-2 px-4 py-6 text-muted text-sm">
          <CircleCheck aria-hidden="true" className="size-4 text-success-text" /> No attempt failed.
        </p>
      ) : (
        <ul className="divide-y">
          {targets.map((target) => (
            <li
              key={target.endpointId ?? target.destinationId}
              className="grid gap-x-6 gap-y-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_12rem]"
            >
              <TargetHead projectId={projectId} target={target} />
              <Outcomes projectId={projectId} stats={stats} target={target} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Two lines, also while the description loads: its description or path with its state, and its URL. */
function TargetHead({ projectId, target }: { projectId: string; target: FailingTarget }) {
  const { details, isLoading } = useFailingTarget(projectId, target);
  const { path, origin } = splitUrl(target.targetUrl);
  return (
    <div className="grid min-w-0 gap-0.5">
      <div className="flex h-5.5 min-w-0 items-center gap-2">
        {isLoading ? (
          <Skeleton className="w-40" />
        ) : (
          <Link
            href={targetPage(projectId, target)}
            prefetch={false}
            title={details?.description ?? undefined}
            className="min-w-0 truncate rounded-sm font-medium text-sm hover:underline"
          >
            {details?.description ?? (path.length > 1 ? path : origin)}
          </Link>
        )}
        {details === undefined ? null : (
          <span className="ml-auto flex shrink-0 items-center gap-2 sm:ml-0">
            <EndpointState endpoint={details} />
            {details.enabled && details.failingSince !== null ? (
              <span className="text-muted text-xs max-xl:hidden">
                since <RelativeTime at={details.failingSince} />
              </span>
            ) : null}
          </span>
        )}
      </div>
      <TargetUrl url={target.targetUrl} className="text-muted" />
    </div>
  );
}

function Outcomes({ projectId, stats, target }: { projectId: string; stats: ProjectStats; target: FailingTarget }) {
  const { endpointId, destinationId } = target;
  const { succeeded, failed } = target.attempts;
  const total = succeeded + failed;
  const filter = endpointId === null ? { destinationId: destinationId ?? '' } : { endpointId };
  return (
    <div className="flex items-center gap-3 sm:flex-col-reverse sm:items-stretch sm:justify-center sm:gap-2">
      <span
        aria-hidden="true"
        className="flex h-1.5 min-w-0 overflow-hidden rounded-full bg-chart-danger max-sm:flex-1"
      >
        <span className="bg-chart-success" style={{ width: `${(succeeded / Math.max(1, total)) * 100}%` }} />
      </span>
      <Link
        href={deliveriesPath(projectId, stats, filter)}
        prefetch={false}
        className="shrink-0 rounded-sm text-right text-muted text-xs tabular-nums hover:text-text hover:underline"
      >
        {formatCount(failed)} failed · {formatShare(succeeded, total) ?? '0%'} succeeded
      </Link>
    </div>
  );
}

/** Returns the path of the page of an endpoint, or of the source of a destination. */
function targetPage(projectId: string, { endpointId, sourceId }: FailingTarget): string {
  return `/projects/${projectId}/${endpointId === null ? `sources/${sourceId}` : `endpoints/${endpointId}`}`;
}

/** Loads what statistics do not have of a target: its description, and whether it is paused or disabled. */
function useFailingTarget(projectId: string, target: FailingTarget) {
  const page = targetPage(projectId, target);
  const path = target.endpointId === null ? `${page}/destinations/${target.destinationId}` : page;
  const { data, isLoading } = useSWR<Shown>(path, { refreshInterval: REFRESH_MS });
  return { details: data, isLoading };
}
