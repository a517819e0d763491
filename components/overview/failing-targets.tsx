import { CircleCheck } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import type { FailingTarget, ProjectStats } from '@/lib/stats/schema';
import { formatCount, formatShare } from './format-figures';
import { deliveriesPath } from './links';

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
            <TargetRow
              key={target.endpointId ?? target.destinationId}
              projectId={projectId}
              stats={stats}
              target={target}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

function TargetRow({ projectId, stats, target }: { projectId: string; stats: ProjectStats; target: FailingTarget }) {
  const { succeeded, failed } = target.attempts;
  const filter =
    target.endpointId === null ? { destinationId: target.destinationId ?? '' } : { endpointId: target.endpointId };
  const page =
    target.endpointId === null
      ? `/projects/${projectId}/sources/${target.sourceId}`
      : `/projects/${projectId}/endpoints/${target.endpointId}`;
  return (
    <li className="px-4 py-3">
      <div className="flex items-center justify-between gap-4">
        <Link href={page} prefetch={false} className="min-w-0 truncate rounded-sm font-mono text-xs hover:underline">
          {target.targetUrl}
        </Link>
        <StateMark target={target} />
      </div>
      <div className="mt-2 flex items-center gap-3">
        <span aria-hidden="true" className="flex h-1.5 min-w-0 flex-1 overflow-hidden rounded-full bg-chart-danger">
          <span
            className="bg-chart-success"
            style={{ width: `${(succeeded / Math.max(1, succeeded + failed)) * 100}%` }}
          />
        </span>
        <Link
          href={deliveriesPath(projectId, stats, filter)}
          prefetch={false}
          className="min-w-44 shrink-0 rounded-sm text-right text-muted text-xs tabular-nums hover:text-text hover:underline"
        >
          {formatCount(failed)} failed, {formatShare(succeeded, succeeded + failed) ?? '0%'} succeeded
        </Link>
      </div>
    </li>
  );
}

function StateMark({ target: { enabled, failingSince } }: { target: FailingTarget }) {
  if (!enabled) return <Badge>Disabled</Badge>;
  if (failingSince === null) return <Badge tone="warning">Some fail</Badge>;
  return (
    <span className="flex shrink-0 items-center gap-2 text-muted text-xs">
      <RelativeTime at={failingSince} className="max-sm:hidden lg:max-2xl:hidden" />
      <Badge tone="danger">Failing</Badge>
    </span>
  );
}
