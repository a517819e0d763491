'use client';

import { CircleCheck } from 'lucide-react';
import useSWR from 'swr';
import { splitUrl, TargetUrl } from '@/components/endpoints/target-url';
import { EndpointState } from '@/components/projects/state-badges';
import { useProjectId, useProjectPath } from '@/components/projects/use-projects';
import { Card } from '@/components/ui/card';
import { formatCount, formatShare } from '@/components/ui/format-figures';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import type { Endpoint } from '@/lib/delivery/schema';
import type { Destination } from '@/lib/incoming/schema';
import type { FailingTarget, ProjectStats } from '@/lib/stats/schema';
import { deliveriesPath } from './use-overview';

const REFRESH_MS = 30_000;

type Shown = Pick<Endpoint & Destination, 'description' | 'enabled' | 'disabledReason' | 'failingSince'>;

/** The endpoints and destinations with the most failed attempts. */
export function FailingTargets({ stats }: { stats: ProjectStats }) {
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
              <TargetHead target={target} />
              <Outcomes stats={stats} target={target} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Two lines, also while the description loads: its description or path with its state, and its URL. */
function TargetHead({ target }: { target: FailingTarget }) {
  // The page of the endpoint, or of the source of the destination.
  const page = useProjectPath(
    target.endpointId === null ? `sources/${target.sourceId}` : `endpoints/${target.endpointId}`,
  );
  // Statistics have neither its description, nor whether it is paused or disabled.
  const path = target.endpointId === null ? `${page}/destinations/${target.destinationId}` : page;
  const { data: details, isLoading } = useSWR<Shown>(path, { refreshInterval: REFRESH_MS });
  const { path: urlPath, origin } = splitUrl(target.targetUrl);
  return (
    <div className="grid min-w-0 gap-0.5">
      <div className="flex h-5.5 min-w-0 items-center gap-2">
        {isLoading ? (
          <Skeleton className="w-40" />
        ) : (
          <Link
            href={page}
            prefetch={false}
            title={details?.description ?? undefined}
            className="min-w-0 truncate rounded-sm font-medium text-sm hover:underline"
          >
            {details?.description ?? (urlPath.length > 1 ? urlPath : origin)}
          </Link>
        )}
        {details === undefined ? null : (
          <span className="ml-auto flex shrink-0 items-center gap-2 sm:ml-0">
            <EndpointState {...details} />
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

function Outcomes({ stats, target }: { stats: ProjectStats; target: FailingTarget }) {
  const projectId = useProjectId();
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
