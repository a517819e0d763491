'use client';

import { KeyRound } from 'lucide-react';
import { useProjectId, useProjectPath } from '@/components/projects/use-projects';
import { useFirstHundred } from '@/components/projects/use-resource';
import { Card } from '@/components/ui/card';
import { formatCount } from '@/components/ui/format-figures';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import type { ApiKey } from '@/lib/keys/schema';
import type { ProjectStats } from '@/lib/stats/schema';
import { deliveriesPath } from './use-overview';

const link = 'rounded-sm font-medium hover:underline';

/** What holds now, whatever the range: waiting deliveries, and keys that expire. */
export function PresentState({ stats }: { stats: ProjectStats }) {
  const projectId = useProjectId();
  const { waiting, waitingIsAtLeast } = stats.backlog;
  // A hundred are above the most working keys that a project has by default.
  const { rows: keys } = useFirstHundred<ApiKey>(useProjectPath('api-keys'));
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

const SOON_MS = 30 * 86_400_000;

/** Returns the working keys that expire within 30 days, the first one first. The end of a rotated key is that of its grace period. */
export function keysExpiringSoon(keys: readonly ApiKey[], now: Date): { id: string; name: string; endsAt: string }[] {
  return keys
    .filter(({ status }) => status === 'ACTIVE' || status === 'ROTATING')
    .flatMap(({ id, name, expiresAt }) => (expiresAt === null ? [] : [{ id, name, endsAt: expiresAt }]))
    .filter(({ endsAt }) => Date.parse(endsAt) - now.getTime() < SOON_MS)
    .sort((a, b) => a.endsAt.localeCompare(b.endsAt));
}
