'use client';

import { useState } from 'react';
import { KEY_VARIABLE, sendSamples } from '@/components/keys/samples';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { CodeBlock } from '@/components/ui/code-block';
import { CodeTabs } from '@/components/ui/code-tabs';
import { useBaseUrl } from '@/components/ui/use-base-url';
import { KeyStep } from './key-step';
import { SendSampleEvent } from './send-sample-event';
import { WaitingStatus } from './waiting-status';

/** The commands that send an event, ready to be pasted, and the wait for it. */
export function EventStep({
  projectId,
  plaintext,
  onKeyMade,
  onSent,
  waitingFor,
}: {
  projectId: string;
  /** The key just made; null when it is not known to this page any more. */
  plaintext: string | null;
  onKeyMade: (plaintext: string) => Promise<unknown>;
  onSent: () => void;
  waitingFor: string;
}) {
  const baseUrl = useBaseUrl();
  return (
    <>
      {plaintext === null ? (
        <KeyIsGone projectId={projectId} onKeyMade={onKeyMade} />
      ) : (
        <>
          <Callout tone="warning">
            This is your key. Keep it now: it is shown this once and cannot be brought back, only replaced.
          </Callout>
          <CodeBlock label="Key" code={plaintext} wrap />
        </>
      )}
      <CodeTabs label="Send an event" samples={sendSamples(baseUrl, plaintext ?? KEY_VARIABLE)} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <WaitingStatus>{waitingFor}</WaitingStatus>
        {plaintext === null ? null : <SendSampleEvent plaintext={plaintext} onSent={onSent} />}
      </div>
    </>
  );
}

function KeyIsGone({ projectId, onKeyMade }: { projectId: string; onKeyMade: (key: string) => Promise<unknown> }) {
  const [making, setMaking] = useState(false);
  if (making) return <KeyStep projectId={projectId} onMade={onKeyMade} />;
  return (
    <p className="text-muted text-sm">
      Put your key into the variable <code className="font-mono">EDS_API_KEY</code>. A key is shown only once; if you
      did not keep it,{' '}
      <Button
        variant="ghost"
        size="sm"
        className="h-6 px-1.5 text-accent-text underline"
        onClick={() => setMaking(true)}
      >
        make another
      </Button>
    </p>
  );
}
