'use client';

import { Hourglass } from 'lucide-react';
import { ApiError } from '@/components/auth-session/api-error';
import { Button } from '@/components/ui/button';
import { LoadFailure } from '@/components/ui/error-panel';
import { Link } from '@/components/ui/link';
import { inPreferredZone } from '@/components/ui/time-zone';
import type { DataClass } from '@/lib/retention/schema';
import { createdBeforeRetention } from './id-age';
import { daysOf, formatDays } from './retention-labels';
import { useRetentionOfProject } from './use-retention';

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
  projectId,
  error,
  onRetry,
}: {
  what: keyof typeof KINDS;
  id: string;
  projectId: string;
  error: unknown;
  onRetry: () => void;
}) {
  const isMissing = error instanceof ApiError && error.status === 404;
  const { retention, isSettled } = useRetentionOfProject(isMissing ? projectId : undefined);
  if (isMissing && !isSettled) return null;
  const createdAt = isMissing ? createdBeforeRetention(id, retention?.classes, KINDS[what], new Date()) : null;
  const days = daysOf(retention?.classes, KINDS[what][0]);
  if (createdAt === null || days === undefined) {
    const back = { href: `/projects/${projectId}/${LISTS[what].segment}`, label: LISTS[what].label };
    return <LoadFailure what={what} error={error} onRetry={onRetry} back={back} />;
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
