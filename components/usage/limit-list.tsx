'use client';

import useSWR from 'swr';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Progress } from '@/components/ui/job-card';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import type { OrganizationLimit, OrganizationLimits, ProjectLimit, ProjectLimits } from '@/lib/usage/schema';

/** What a limit counts, as the pages name it. */
const LIMIT_LABELS: Record<ProjectLimit['name'] | OrganizationLimit['name'], string> = {
  customers: 'Customers',
  eventTypes: 'Event types',
  endpoints: 'Endpoints',
  subscriptions: 'Subscriptions',
  sources: 'Sources',
  destinations: 'Destinations',
  tunnels: 'Tunnels',
  alerts: 'Alerts',
  apiKeys: 'Active API keys',
  projects: 'Projects',
  members: 'Members and pending invitations',
};

type Limit = (ProjectLimits | OrganizationLimits)['limits'][number];

/** The limits that an API path returns, with a bar of what is used. `count` is how many there are, for the placeholder. */
export function LimitList({ path, count }: { path: string; count: number }) {
  const { data, error, mutate } = useSWR<ProjectLimits | OrganizationLimits>(path);
  if (data !== undefined) {
    return (
      <ul className="grid gap-4">
        {data.limits.map((limit) => (
          <LimitRow key={limit.name} limit={limit} />
        ))}
      </ul>
    );
  }
  if (error) return <ErrorPanel what="We couldn’t load the limits" error={error} onRetry={() => void mutate()} />;
  return (
    <div className="grid gap-4">
      <LoadingLabel />
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Skeleton key={index} className="h-8" />
      ))}
    </div>
  );
}

function LimitRow({ limit: { name, used, max } }: { limit: Limit }) {
  const label = LIMIT_LABELS[name];
  const isFull = used >= max;
  return (
    <li className="grid h-8 content-between">
      <div className="flex justify-between gap-3 text-sm leading-5">
        <span className="truncate">{label}</span>
        <span className="shrink-0 text-muted tabular-nums">
          {used.toLocaleString('en-US')} of {max.toLocaleString('en-US')}
          {isFull ? <span className="text-danger-text"> (full)</span> : null}
        </span>
      </div>
      <Progress
        label={`${label} used`}
        percent={used === 0 ? 0 : Math.min(100, Math.max(1, Math.round((used / max) * 100)))}
        tone={isFull ? 'danger' : 'accent'}
      />
    </li>
  );
}
