'use client';

import { KeyRound } from 'lucide-react';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import type { ProjectStats } from '@/lib/stats/schema';
import { keysExpiringSoon } from './expiring-keys';
import { formatCount } from './format-figures';
import { deliveriesPath } from './links';
import { useProjectKeys } from './use-overview';

const link = 'rounded-sm font-medium hover:underline';

/** What holds now, whatever the range: waiting deliveries, how late they are, and keys that expire. */
export function PresentState({ projectId, stats }: { projectId: string; stats: ProjectStats }) {
  const { waiting, waitingIsAtLeast, oldestDueAt } = stats.backlog;
  const keys = useProjectKeys(projectId);
  const expiring = keys === undefined ? undefined : keysExpiringSoon(keys, new Date());
  return (
    <Card title="Now">
      <dl className="grid gap-3 text-sm">
        <div className="flex items-baseline justify-between gap-3">
          <dt className="text-muted">Waiting deliveries</dt>
          <dd>
            <Link
              href={deliveriesPath(projectId, null, { status: 'PENDING' })}
              prefetch={false}
              className={`${link} tabular-nums`}
            >
              {formatCount(waiting)}
              {waitingIsAtLeast ? ' or more' : ''}
            </Link>
          </dd>
        </div>
        <div className="flex items-baseline justify-between gap-3">
          <dt className="text-muted">{oldestDueAt === null ? 'Overdue' : 'Overdue since'}</dt>
          <dd className="font-medium">{oldestDueAt === null ? 'Nothing' : <RelativeTime at={oldestDueAt} />}</dd>
        </div>
        <div className="flex items-baseline justify-between gap-3">
          <dt className="text-muted">API keys expiring in 30 days</dt>
          <dd>
            <Link href={`/projects/${projectId}/keys`} prefetch={false} className={link}>
              {expiring === undefined ? '…' : expiring.length === 0 ? 'None' : expiring.length}
            </Link>
          </dd>
        </div>
      </dl>
      {expiring === undefined || expiring.length === 0 ? null : (
        <ul className="mt-3 grid gap-2 border-t pt-3 text-sm">
          {expiring.slice(0, 3).map(({ id, name, endsAt }) => (
            <li key={id} className="min-w-0">
              <Link
                href={`/projects/${projectId}/keys`}
                prefetch={false}
                className="flex min-w-0 items-start gap-2 rounded-sm hover:underline"
              >
                <KeyRound aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning-text" />
                <span className="min-w-0 break-words">
                  API key “{name}” expires <RelativeTime at={endsAt} inRow className="font-medium text-warning-text" />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
