'use client';

import { Hourglass } from 'lucide-react';
import useSWR from 'swr';
import { ApiError } from '@/components/auth-session/api-error';
import { useProject, useProjectId, useProjectPath } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { LoadFailure } from '@/components/ui/error-panel';
import { Link, TextLink } from '@/components/ui/link';
import { inPreferredZone } from '@/components/ui/time-zone';
import type { DataClass, OrganizationRetention } from '@/lib/retention/schema';
import {
  createdBeforeRetention,
  DATA_CLASS_LABELS,
  daysOf,
  describeAttemptRules,
  exceededRetentionDays,
  formatDays,
} from './retention-labels';

/** Rules change only with the configuration, and counting rows is expensive. */
const CACHED = { dedupingInterval: 30_000, revalidateOnFocus: false };

/** Loads the retention rules and row counts of an organization. Loads nothing without an id. */
export function useRetention(organizationId: string | undefined) {
  return useSWR<OrganizationRetention, unknown>(
    organizationId === undefined ? null : `/orgs/${organizationId}/retention`,
    CACHED,
  );
}

/** Loads the retention of the organization of the project. Loads nothing unless it is needed. */
function useRetentionOfProject(isNeeded = true) {
  const projectId = useProjectId();
  const { project, error: projectError } = useProject(isNeeded ? projectId : undefined);
  const { data, error } = useRetention(project?.organization.id);
  return { retention: data, isSettled: data !== undefined || project === null || Boolean(projectError ?? error) };
}

/** Says how many attempts of a delivery retention has deleted, and by which rules. */
export function AttemptsRemoved({ count }: { count: number }) {
  const { retention } = useRetentionOfProject();
  const rules = retention === undefined ? null : describeAttemptRules(retention.classes);
  return (
    <p className="px-4 py-2.5 text-muted text-sm">
      Retention deleted {count === 1 ? '1 attempt' : `${count.toLocaleString('en-GB')} attempts`}. The delivery’s result
      is kept. {rules}{' '}
      <TextLink href="/retention" prefetch={false}>
        View retention
      </TextLink>
    </p>
  );
}

/** Says how long rows are kept, when a list reaches further back than that; else nothing. */
export function KeptNote({
  data,
  from,
}: {
  data: Extract<DataClass, 'events' | 'incomingEvents'>;
  /** Where the list begins; undefined for any time. */
  from: string | undefined;
}) {
  const { retention } = useRetentionOfProject();
  const kept = exceededRetentionDays(from, daysOf(retention?.classes, data), new Date());
  if (kept === null) return null;
  const { label } = DATA_CLASS_LABELS[data];
  return (
    <>
      {label} are kept for {formatDays(kept)};{' '}
      <TextLink href="/retention">older {label.toLowerCase()} are deleted</TextLink>.
    </>
  );
}

const KINDS = {
  event: ['events'],
  'incoming event': ['incomingEvents'],
  delivery: ['events', 'incomingEvents'],
} as const satisfies Record<string, readonly DataClass[]>;

const LISTS = {
  event: { segment: 'events', label: 'All events' },
  'incoming event': { segment: 'incoming-events', label: 'All incoming events' },
  delivery: { segment: 'deliveries', label: 'All deliveries' },
} as const;

/** Says why an event or a delivery cannot be shown: retention probably removed it, or an error occurred. */
export function RemovedByRetention({
  what,
  id,
  error,
  onRetry,
}: {
  what: keyof typeof KINDS;
  id: string;
  error: unknown;
  onRetry: () => void;
}) {
  const list = useProjectPath(LISTS[what].segment);
  const isMissing = error instanceof ApiError && error.status === 404;
  const { retention, isSettled } = useRetentionOfProject(isMissing);
  if (isMissing && !isSettled) return null;
  const createdAt = isMissing ? createdBeforeRetention(id, retention?.classes, KINDS[what], new Date()) : null;
  const days = daysOf(retention?.classes, KINDS[what][0]);
  if (createdAt === null || days === undefined) {
    return <LoadFailure what={what} error={error} onRetry={onRetry} back={{ href: list, label: LISTS[what].label }} />;
  }
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center px-4 py-12 text-center">
      <Hourglass aria-hidden="true" className="mb-3 size-6 text-muted" />
      <h1 className="font-semibold text-base">This {what} is no longer available.</h1>
      <p className="mt-1 text-balance text-muted text-sm">
        {what !== 'delivery'
          ? `${what === 'event' ? 'Events' : 'Incoming events'} are kept for ${formatDays(days)}.`
          : `Deliveries are kept as long as their event: ${formatDays(days)}, or ${formatDays(
              daysOf(retention?.classes, 'incomingEvents') ?? days,
            )} for incoming events.`}{' '}
        Its ID is from {formatDate(createdAt)}, so retention has probably deleted it.
      </p>
      <Button asChild className="mt-4">
        <Link href="/retention">View retention</Link>
      </Button>
    </div>
  );
}

function formatDate(at: Date): string {
  return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', ...inPreferredZone() });
}
