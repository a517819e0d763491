'use client';

import { exceededRetentionDays } from '@/components/events/time-window';
import { Link } from '@/components/ui/link';
import type { DataClass } from '@/lib/retention/schema';
import { DATA_CLASS_LABELS, daysOf, formatDays } from './retention-labels';
import { useRetentionOfProject } from './use-retention';

/** Says how long rows are kept, when a list reaches further back than that; else nothing. */
export function KeptNote({
  projectId,
  data,
  from,
}: {
  projectId: string;
  data: Extract<DataClass, 'events' | 'incomingEvents'>;
  /** Where the list begins; undefined for any time. */
  from: string | undefined;
}) {
  const { retention } = useRetentionOfProject(projectId);
  const kept = exceededRetentionDays(from, daysOf(retention?.classes, data), new Date());
  if (kept === null) return null;
  const { label } = DATA_CLASS_LABELS[data];
  return (
    <>
      {label} are kept for {formatDays(kept)};{' '}
      <Link href="/retention" className="font-medium text-accent-text hover:underline">
        older {label.toLowerCase()} are deleted
      </Link>
      .
    </>
  );
}
