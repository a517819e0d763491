'use client';

import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { useSourceScope } from './source-context';
import { useLastEvent } from './use-last-event';

/** When the source received its last event; a link to it. */
export function LastEvent() {
  const { projectId, source } = useSourceScope();
  const last = useLastEvent(projectId, source);
  if (last === undefined) return <span className="text-muted">…</span>;
  if (last === null) return <span className="text-muted">None yet</span>;
  return (
    <Link
      href={`/projects/${projectId}/incoming-events/${last.id}`}
      className="rounded-sm font-medium text-accent-text hover:underline"
    >
      <RelativeTime at={last.createdAt} inRow />
    </Link>
  );
}
