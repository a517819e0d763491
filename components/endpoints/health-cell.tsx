import { formatShare } from '@/components/overview/format-figures';
import { formatDuration } from '@/components/ui/format-time';
import type { EndpointHealth } from '@/lib/stats/schema';
import { HealthSparkline } from './health-sparkline';

/** The last 24 hours of an endpoint in a row of the list. */
export function HealthCell({ health }: { health: EndpointHealth | undefined }) {
  if (health === undefined) return <span className="text-muted">…</span>;
  const { succeeded, failed } = health.attempts;
  return (
    <span className="flex items-center gap-3">
      <HealthSparkline health={health} className="max-md:hidden" />
      <span className="whitespace-nowrap text-xs tabular-nums">
        <span className="block">{formatShare(succeeded, succeeded + failed) ?? 'No attempts'}</span>
        {health.attemptDuration === null ? null : (
          <span className="block text-muted">p95 {formatDuration(health.attemptDuration.p95Ms)}</span>
        )}
      </span>
    </span>
  );
}
