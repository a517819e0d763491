import { cn } from '@/components/ui/cn';
import { formatAbsolute } from '@/components/ui/format-time';
import { Link } from '@/components/ui/link';
import type { EndpointHealth } from '@/lib/stats/schema';

const STATES = {
  SUCCEEDED: { label: 'Succeeded', style: 'bg-chart-success' },
  FAILED: { label: 'Failed', style: 'bg-chart-danger rounded-xs' },
  PENDING: { label: 'Queued or retrying', style: 'border-2 border-chart-warning' },
} as const;

/** The last ten deliveries as dots, the newest last. A failure is square and a waiting one hollow, so color is not the only signal. */
export function LastDeliveries({ projectId, health }: { projectId: string; health: EndpointHealth }) {
  if (health.lastDeliveries.length === 0) return <span className="text-muted">None yet</span>;
  return (
    <ul className="-mx-1.5 flex items-center" aria-label="Recent deliveries, newest last">
      {health.lastDeliveries.toReversed().map(({ id, status, createdAt }) => (
        <li key={id}>
          <Link
            href={`/projects/${projectId}/deliveries/${id}`}
            prefetch={false}
            title={`${STATES[status].label}, ${formatAbsolute(new Date(createdAt))}`}
            aria-label={`${STATES[status].label}, ${formatAbsolute(new Date(createdAt))}`}
            className="group grid size-6 place-items-center rounded-sm"
          >
            <span
              className={cn('size-2.5 rounded-full transition-transform group-hover:scale-130', STATES[status].style)}
            />
          </Link>
        </li>
      ))}
    </ul>
  );
}
