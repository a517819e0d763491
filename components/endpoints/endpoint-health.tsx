'use client';

import type { ReactNode } from 'react';
import { useProjectPath } from '@/components/projects/use-projects';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { formatCount, formatShare } from '@/components/ui/format-figures';
import { formatAbsolute, formatDuration } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import { Link } from '@/components/ui/link';
import { Skeleton } from '@/components/ui/skeleton';
import { Stat, StatList } from '@/components/ui/stat';
import type { EndpointHealth } from '@/lib/stats/schema';
import { useEndpointHealth } from './use-endpoints';

const LINK = 'rounded-sm font-medium tabular-nums hover:underline';

/** How an endpoint fared in the last 24 hours. */
export function EndpointHealthCard({ endpointId, actions }: { endpointId: string; actions: ReactNode }) {
  const { health: byId, error } = useEndpointHealth([endpointId]);
  const deliveries = useProjectPath(`deliveries?endpointId=${endpointId}`);
  const health = byId?.get(endpointId);
  if (health === undefined) {
    if (!error) return <Skeleton className="h-28 w-full" />;
    return <InlineError what="We couldn't load the health" error={error} />;
  }
  const { succeeded, failed } = health.attempts;
  const total = succeeded + failed;
  const duration = health.attemptDuration;
  return (
    <Card title="Health" description="Last 24 hours" actions={actions}>
      <div className="mb-4">
        {total === 0 ? (
          <p className="text-muted text-sm">No attempts in the last 24 hours.</p>
        ) : (
          <HealthSparkline health={health} className="h-14 w-full gap-0.5" />
        )}
      </div>
      <StatList>
        <Stat label="Success rate">
          <Link href={`${deliveries}&status=FAILED`} prefetch={false} className={LINK}>
            {formatShare(succeeded, total) ?? '–'}
          </Link>
        </Stat>
        <Stat label="Attempts">
          <Link href={deliveries} prefetch={false} className={LINK}>
            {formatCount(total)}
          </Link>
        </Stat>
        <Stat label="Attempt duration, p50">
          <span className="tabular-nums">{duration ? formatDuration(duration.p50Ms) : '–'}</span>
        </Stat>
        <Stat label="Attempt duration, p95">
          <span className="tabular-nums">{duration ? formatDuration(duration.p95Ms) : '–'}</span>
        </Stat>
      </StatList>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-1 border-t pt-3">
        <h3 className="text-muted text-xs">Recent deliveries</h3>
        <LastDeliveries health={health} />
      </div>
    </Card>
  );
}

/** The attempts of each of the last 24 hours, failures at the bottom. Tall hours are the busiest ones. */
export function HealthSparkline({ health, className }: { health: EndpointHealth; className: string }) {
  const { hours, attempts } = health;
  const busiest = Math.max(1, ...hours.map(({ attempts: { succeeded, failed } }) => succeeded + failed));
  const label = `Last 24 hours: ${attempts.succeeded} attempts succeeded, ${attempts.failed} failed`;
  return (
    <span role="img" aria-label={label} className={cn('flex h-6 w-28 items-stretch gap-px', className)}>
      {hours.map(({ startsAt, attempts: { succeeded, failed } }) => (
        <span key={startsAt} className="flex min-w-0 flex-1 flex-col-reverse overflow-hidden rounded-t-xs">
          {succeeded + failed === 0 ? <span className="h-px bg-border" /> : null}
          {failed > 0 ? (
            <span className="bg-chart-danger" style={{ height: `max(2px, ${(failed / busiest) * 100}%)` }} />
          ) : null}
          {succeeded > 0 ? (
            <span className="bg-chart-success" style={{ height: `max(2px, ${(succeeded / busiest) * 100}%)` }} />
          ) : null}
        </span>
      ))}
    </span>
  );
}

const STATES = {
  SUCCEEDED: { label: 'Succeeded', style: 'bg-chart-success' },
  FAILED: { label: 'Failed', style: 'bg-chart-danger rounded-xs' },
  PENDING: { label: 'Queued or retrying', style: 'border-2 border-chart-warning' },
} as const;

/** The last ten deliveries as dots, the newest last. A failure is square and a waiting one hollow, so color is not the only signal. */
export function LastDeliveries({ health }: { health: EndpointHealth }) {
  const deliveries = useProjectPath('deliveries');
  if (health.lastDeliveries.length === 0) return <span className="text-muted">None yet</span>;
  return (
    <ul className="-mx-1.5 flex items-center" aria-label="Recent deliveries, newest last">
      {health.lastDeliveries.toReversed().map(({ id, status, createdAt }) => {
        const { label, style } = STATES[status];
        const name = `${label}, ${formatAbsolute(new Date(createdAt))}`;
        return (
          <li key={id}>
            <Link
              href={`${deliveries}/${id}`}
              prefetch={false}
              title={name}
              aria-label={name}
              className="group grid size-6 place-items-center rounded-sm"
            >
              <span className={cn('size-2.5 rounded-full transition-transform group-hover:scale-130', style)} />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
