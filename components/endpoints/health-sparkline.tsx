import { cn } from '@/components/ui/cn';
import type { EndpointHealth } from '@/lib/stats/schema';

/** The attempts of each of the last 24 hours, failures at the bottom. Tall hours are the busiest ones. */
export function HealthSparkline({ health, className }: { health: EndpointHealth; className?: string }) {
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
