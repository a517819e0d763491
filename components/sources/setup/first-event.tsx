'use client';

import { useSourceScope } from '@/components/sources/source-context';
import { useLastAcceptedEvent, useLastEvent } from '@/components/sources/use-last-event';
import { Callout } from '@/components/ui/callout';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { StatusDot } from '@/components/ui/status-dot';
import type { IncomingEvent } from '@/lib/incoming/schema';

/** Waits for the first event of the source. Then says when the last one arrived, and whether one failed verification. */
export function FirstEvent() {
  const { projectId, source } = useSourceScope();
  const [accepted, last] = [useLastAcceptedEvent(projectId, source), useLastEvent(projectId, source)];
  if (accepted === undefined || last === undefined) return null;
  const refused = last?.verified === false && last.id > (accepted?.id ?? '') ? last : null;
  return (
    <div className="grid gap-2">
      {/* Without the times, which change every second. */}
      <p role="status" className="sr-only">
        {sentenceOf(accepted, refused)}
      </p>
      {accepted === null ? null : (
        <Callout tone="success">
          <span className="font-medium">Receiving events.</span> The last one arrived{' '}
          <RelativeTime at={accepted.createdAt} />
          {accepted.verified ? ' with a valid signature' : ''}. <EventLink projectId={projectId} event={accepted} />
        </Callout>
      )}
      {refused === null ? null : (
        <Callout tone="warning">
          <span className="font-medium">We couldn’t verify an event.</span> It arrived{' '}
          <RelativeTime at={refused.createdAt} /> and wasn’t forwarded.{' '}
          <EventLink projectId={projectId} event={refused} />
        </Callout>
      )}
      {accepted === null && refused === null ? (
        <p aria-hidden="true" className="inline-flex items-center gap-2.5 font-medium text-sm">
          <StatusDot tone="accent" live />
          Waiting for the first event…
        </p>
      ) : null}
    </div>
  );
}

function EventLink({ projectId, event }: { projectId: string; event: IncomingEvent }) {
  return (
    <Link
      href={`/projects/${projectId}/incoming-events/${event.id}`}
      className="rounded-sm font-medium text-accent-text underline underline-offset-2"
    >
      View the event
    </Link>
  );
}

function sentenceOf(accepted: IncomingEvent | null, refused: IncomingEvent | null): string {
  if (refused !== null) return 'We couldn’t verify an event.';
  return accepted === null ? 'Waiting for the first event…' : 'Receiving events.';
}
