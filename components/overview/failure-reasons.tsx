import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import type { ProjectStats } from '@/lib/stats/schema';
import { formatCount, formatShare } from './format-figures';
import { deliveriesPath } from './links';

const REASONS = [
  ['serverErrors', 'Server error', '5xx'],
  ['clientErrors', 'Rejected', '4xx'],
  ['redirects', 'Redirect', '3xx'],
  ['timeouts', 'Timeout', 'no response in time'],
  ['noResponses', 'No response', 'host, connection or TLS'],
] as const;

/** Failed attempts by reason, most first. */
export function FailureReasons({ projectId, stats }: { projectId: string; stats: ProjectStats }) {
  const { failures, attempts } = stats.totals;
  const found = REASONS.map(([name, label, about]) => ({ label, about, count: failures[name] }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  return (
    <Card title="Why attempts failed">
      {found.length === 0 ? (
        <p className="text-muted text-sm">No attempt failed.</p>
      ) : (
        <ul className="grid gap-3">
          {found.map(({ label, about, count }) => (
            <li key={label}>
              <p className="flex items-baseline justify-between gap-3 text-sm">
                <span className="min-w-0">
                  {label} <span className="text-muted text-xs">{about}</span>
                </span>
                <Link
                  href={deliveriesPath(projectId, stats)}
                  prefetch={false}
                  className="shrink-0 rounded-sm text-xs tabular-nums hover:underline"
                >
                  {formatCount(count)}{' '}
                  <span className="inline-block w-10 text-right text-muted">{formatShare(count, attempts.failed)}</span>
                </Link>
              </p>
              <span aria-hidden="true" className="mt-1.5 block h-1.5 rounded-full bg-sunken">
                <span
                  className="block h-full rounded-full bg-chart-danger"
                  style={{ width: `max(4px, ${(count / Math.max(1, attempts.failed)) * 100}%)` }}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
