'use client';

import { useState } from 'react';
import { PROVIDERS } from '@/components/sources/providers';
import { useSourceScope } from '@/components/sources/source-context';
import { useLastAcceptedEvent } from '@/components/sources/use-last-event';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { FirstEvent } from './first-event';
import { StepList } from './step-list';
import { stepsOf } from './steps-of';
import { TestEvent } from './test-event';

/** What to do at the provider. Open until events arrive; an event that arrives while the page is open does not close it. */
export function SetupCard({ url }: { url: string }) {
  const { projectId, source } = useSourceScope();
  const accepted = useLastAcceptedEvent(projectId, source);
  const [wasReceiving, setWasReceiving] = useState<boolean | null>(null);
  const [chosen, setChosen] = useState<boolean | null>(null);
  if (wasReceiving === null && accepted !== undefined) setWasReceiving(accepted !== null);
  const isOpen = chosen ?? wasReceiving === false;
  const { name, secretMaker } = PROVIDERS[source.provider];
  const sender = secretMaker === 'provider' || source.provider === 'GITHUB' ? name : 'the sender';
  return (
    <Card
      title={accepted ? 'Connection' : `Set up ${sender}`}
      {...(isOpen ? { description: `Connect ${sender} to this source.` } : {})}
      actions={
        <Button size="sm" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
          {isOpen ? 'Hide steps' : 'Show steps'}
        </Button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {isOpen ? <StepList steps={stepsOf({ ...source, url })} /> : null}
        <FirstEvent />
        {isOpen ? <TestEvent url={url} /> : null}
      </div>
    </Card>
  );
}
