'use client';

import type { ReactNode } from 'react';
import { formatCount, formatShare } from '@/components/overview/format-figures';
import { Card } from '@/components/ui/card';
import { formatDuration } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import { Link } from '@/components/ui/link';
import { Skeleton } from '@/components/ui/skeleton';
import { Stat, StatList } from '@/components/ui/stat';
import { HealthSparkline } from './health-sparkline';
import { LastDeliveries } from './last-deliveries';
import { useEndpointHealth } from './use-endpoint-health';

/** How an endpoint fared in the last 24 hours. */
export function EndpointHealthCard({
  projectId,
  endpointId,
  actions,
}: {
  projectId: string;
  endpointId: string;
  actions?: ReactNode;
}) {
  const { health: byId, error } = useEndpointHealth(projectId, [endpointId]);
  const health = byId?.get(endpointId);
  if (health === undefined) {
    if (!error) return <Skeleton className="h-28 w-full" />;
    return <InlineError what="We couldn't load the health" error={error} />;
  }
  const { succeeded, failed } = health.attempts;
  const total = succeeded + failed;
  const deliveries = `/projects/${projectId}/deliveries?endpointId=${endpointId}`;
  const link = 'rounded-sm font-medium tabular-nums hover:underline';
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
          <Link href={`${deliveries}&status=FAILED`} prefetch={false} className={link}>
            {formatShare(succeeded, total) ?? '–'}
          </Link>
        </Stat>
        <Stat label="Attempts">
          <Link href={deliveries} prefetch={false} className={link}>
            {formatCount(total)}
          </Link>
        </Stat>
        <Stat label="Attempt duration, p50">
          <span className="tabular-nums">
            {health.attemptDuration ? formatDuration(health.attemptDuration.p50Ms) : '–'}
          </span>
        </Stat>
        <Stat label="Attempt duration, p95">
          <span className="tabular-nums">
            {health.attemptDuration ? formatDuration(health.attemptDuration.p95Ms) : '–'}
          </span>
        </Stat>
      </StatList>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-1 border-t pt-3">
        <h3 className="text-muted text-xs">Recent deliveries</h3>
        <LastDeliveries projectId={projectId} health={health} />
      </div>
    </Card>
  );
}
