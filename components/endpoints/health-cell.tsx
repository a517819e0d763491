import { formatShare } from '@/components/overview/format-figures';
import { formatDuration } from '@/components/ui/format-time';
import type { EndpointHealth } from '@/lib/stats/schema';
import { HealthSparkline } from './health-sparkline';

/** The last 24 hours of an endpoint in a row of the list. */
export function HealthCell({ health }: { health: EndpointHealth | undefined }) {
  if (health === undefined) return <span className="text-muted">…</span>;
  const { succeeded, failed } = health.attempts;
  const share = formatShare(succeeded, succeeded + failed);
  return (
    <span className="flex min-w-0 flex-1 items-center gap-3 max-sm:flex-col max-sm:items-stretch max-sm:gap-1 max-sm:py-1">
      <HealthSparkline health={health} className="max-sm:w-full sm:max-md:hidden" />
      <span className="whitespace-nowrap text-xs tabular-nums">
        <span className="sm:block">{share === null ? 'No attempts' : `${share} succeeded`}</span>
        {health.attemptDuration === null ? null : (
          <>
            <span className="text-muted sm:hidden"> · </span>
            <span className="text-muted sm:block">p95 {formatDuration(health.attemptDuration.p95Ms)}</span>
          </>
        )}
      </span>
    </span>
  );
}
