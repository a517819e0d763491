'use client';

import { KEY_VARIABLE, sendSamples } from '@/components/keys/samples';
import { Callout } from '@/components/ui/callout';
import { CodeTabs } from '@/components/ui/code-tabs';
import { StatusDot } from '@/components/ui/status-dot';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { EventListItem } from '@/lib/events/schema';
import { MakeKeyButton, SendSampleEvent } from './send-sample-event';

/** Sends an event with one click, or shows commands that send one. */
export function EventStep({
  projectId,
  plaintext,
  onKeyMade,
  onSent,
  type,
  event,
}: {
  projectId: string;
  /** The new key; null when this page does not know it, such as after a reload. */
  plaintext: string | null;
  onKeyMade: (plaintext: string) => void;
  onSent: () => void;
  /** The type of the sample, which a subscription matches. */
  type: string;
  /** The newest event, which has no delivery. */
  event: EventListItem | undefined;
}) {
  const baseUrl = useBaseUrl();
  return (
    <>
      {event === undefined ? null : <UnmatchedNote event={event} />}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SendSampleEvent {...{ projectId, plaintext, onKeyMade, type, onSent }} />
        <WaitingStatus>Waiting for your first event…</WaitingStatus>
      </div>
      <details>
        <summary className="w-fit cursor-pointer rounded-sm text-accent-text text-sm">
          Or send it from your code
        </summary>
        <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4">
          {plaintext === null ? (
            <div className="grid gap-2">
              <p className="text-muted text-sm">
                Set the variable <code className="font-mono">EDS_API_KEY</code> to an API key of this project. A key is
                shown only once, when it is created.
              </p>
              <MakeKeyButton projectId={projectId} onKeyMade={onKeyMade} />
            </div>
          ) : null}
          <CodeTabs label="Send an event" samples={sendSamples(baseUrl, plaintext ?? KEY_VARIABLE, type)} />
        </div>
      </details>
    </>
  );
}

/** Says that no endpoint matched an event, once that is known. */
function UnmatchedNote({ event }: { event: EventListItem }) {
  if (event.fanOutStatus !== 'COMPLETED') return null;
  return (
    <Callout tone="warning">
      No matching endpoint for your event <code className="font-mono">{event.type}</code>. Send one that your endpoint
      is subscribed to.
    </Callout>
  );
}

/** Says what the page waits for; announced once to screen readers. */
function WaitingStatus({ children }: { children: string }) {
  return (
    <p role="status" className="inline-flex items-center gap-2.5 font-medium text-sm">
      <StatusDot tone="accent" live />
      {children}
    </p>
  );
}
