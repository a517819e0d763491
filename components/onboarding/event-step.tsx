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

/** Shows commands that send an event, and waits for one. */
export function EventStep({
  projectId,
  plaintext,
  onKeyMade,
  onSent,
  waitingFor,
}: {
  projectId: string;
  /** The new key; null when this page does not know it, such as after a reload. */
  plaintext: string | null;
  onKeyMade: (plaintext: string) => Promise<unknown>;
  onSent: () => void;
  waitingFor: string;
}) {
  const baseUrl = useBaseUrl();
  return (
    <>
      {plaintext === null ? (
        <UnknownKey projectId={projectId} onKeyMade={onKeyMade} />
      ) : (
        <>
          <Callout tone="warning">This is your API key. Copy it now. It cannot be shown again, only replaced.</Callout>
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

function UnknownKey({ projectId, onKeyMade }: { projectId: string; onKeyMade: (key: string) => Promise<unknown> }) {
  const [making, setMaking] = useState(false);
  if (making) return <KeyStep projectId={projectId} onMade={onKeyMade} />;
  return (
    <p className="text-muted text-sm">
      Set the variable <code className="font-mono">EDS_API_KEY</code> to your key. A key is shown only once. If you lost
      it,{' '}
      <Button
        variant="ghost"
        size="sm"
        className="h-6 px-1.5 text-accent-text underline"
        onClick={() => setMaking(true)}
      >
        create another key
      </Button>
    </p>
  );
}
