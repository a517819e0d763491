'use client';

import { ChevronRight } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import { useDisabledReason, useProjectPath } from '@/components/projects/use-projects';
import { StatusDot } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code-block';
import { CopyValue } from '@/components/ui/copy-button';
import { Link } from '@/components/ui/link';
import { LocalUrlNote } from '@/components/ui/local-url-note';
import { RelativeTime } from '@/components/ui/relative-time';
import type { IncomingEvent, Source } from '@/lib/incoming/schema';
import { exampleHeader, exampleToken, isNamed, PROVIDERS, signatureValuesOf } from './providers';
import { OurSecret, StepList, StepText, TheirSecret } from './setup-parts';
import { SETUP_STEPS, type StepPart } from './setup-steps';
import { signedCurl } from './signed-curl';
import { useLastEvents, useSourceScope } from './use-sources';

/** What to do at the provider. Open until events arrive; an event that arrives while the page is open does not close it. */
export function SetupCard({ url }: { url: string }) {
  const { source } = useSourceScope();
  const accepted = useLastEvents().accepted.event;
  const [wasReceiving, setWasReceiving] = useState<boolean | null>(null);
  const [chosen, setChosen] = useState<boolean | null>(null);
  if (wasReceiving === null && accepted !== undefined) setWasReceiving(accepted !== null);
  const isOpen = chosen ?? wasReceiving === false;
  const { name } = PROVIDERS[source.provider];
  const sender = isNamed(source.provider) ? name : 'the sender';
  const steps = SETUP_STEPS[source.provider].map(({ title, asksForSecret = false, parts }) => ({
    title,
    isDone: asksForSecret && source.hasSecret,
    content: parts.map((part) => (
      <Fragment key={typeof part === 'string' ? part : part.kind}>{showPart(part, source, url)}</Fragment>
    )),
  }));
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
        {isOpen ? <LocalUrlNote url={url} others={sender === 'the sender' ? 'a sender elsewhere' : sender} /> : null}
        {isOpen ? <StepList steps={steps} /> : null}
        <FirstEvent />
        {isOpen ? <TestEvent url={url} /> : null}
      </div>
    </Card>
  );
}

function showPart(part: StepPart, source: Source, url: string): ReactNode {
  if (typeof part === 'string') return <StepText text={part} />;
  switch (part.kind) {
    case 'url':
      return <CopyValue label={part.label} value={url} />;
    case 'ourSecret':
      return <OurSecret label={part.label} />;
    case 'theirSecret':
      return <TheirSecret label={part.label} placeholder={part.placeholder} />;
    case 'id':
      return <CopyValue label={part.label} value={source.id} />;
    case 'example': {
      const example = source.provider === 'TOKEN' ? exampleToken : exampleHeader;
      return (
        <code className="break-all rounded-md border bg-sunken px-3 py-2 font-mono text-xs">
          {example(signatureValuesOf(source))}
        </code>
      );
    }
  }
}

/** Waits for the first event of the source. Then says when the last one arrived, and whether one failed verification. */
function FirstEvent() {
  const { last, accepted } = useLastEvents();
  if (accepted.event === undefined || last.event === undefined) return null;
  const newest = accepted.event;
  const refused = last.event?.verified === false && last.event.id > (newest?.id ?? '') ? last.event : null;
  return (
    <div className="grid gap-2">
      {/* Without the times, which change every second. */}
      <p role="status" className="sr-only">
        {sentenceOf(newest, refused)}
      </p>
      {newest === null ? null : (
        <Callout tone="success">
          <span className="font-medium">Receiving events.</span> The last one arrived{' '}
          <RelativeTime at={newest.createdAt} />
          {newest.verified ? ' with a valid signature' : ''}. <EventLink event={newest} />
        </Callout>
      )}
      {refused === null ? null : (
        <Callout tone="warning">
          <span className="font-medium">We couldn’t verify an event.</span> It arrived{' '}
          <RelativeTime at={refused.createdAt} /> and wasn’t forwarded. <EventLink event={refused} />
        </Callout>
      )}
      {newest === null && refused === null ? (
        <p aria-hidden="true" className="inline-flex items-center gap-2.5 font-medium text-sm">
          <StatusDot tone="accent" live />
          Waiting for the first event…
        </p>
      ) : null}
    </div>
  );
}

function EventLink({ event }: { event: IncomingEvent }) {
  const href = useProjectPath(`incoming-events/${event.id}`);
  return (
    <Link href={href} className="rounded-sm font-medium text-accent-text underline underline-offset-2">
      View the event
    </Link>
  );
}

function sentenceOf(accepted: IncomingEvent | null, refused: IncomingEvent | null): string {
  if (refused !== null) return 'We couldn’t verify an event.';
  return accepted === null ? 'Waiting for the first event…' : 'Receiving events.';
}

function TestEvent({ url }: { url: string }) {
  const { source, secret } = useSourceScope();
  const disabledReason = useDisabledReason('source.secret');
  const command = signedCurl({ ...source, url }, secret.shown);
  if (command === null) return null;
  return (
    <details className="group rounded-lg border">
      <summary className="flex cursor-pointer list-none items-center gap-2 rounded-lg px-3 py-2.5 font-medium text-sm hover:bg-sunken/60 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted group-open:rotate-90" />
        Send a test event from a terminal
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-3 pb-3">
        {source.hasSecret && secret.shown === null ? (
          <div className="flex flex-wrap items-center justify-between gap-2 text-muted text-sm">
            <p>Show the secret to fill in the command.</p>
            <Button size="sm" loading={secret.pending} disabledReason={disabledReason} onClick={secret.toggle}>
              Show secret
            </Button>
          </div>
        ) : null}
        {source.provider === 'NONE' || source.hasSecret ? (
          <CodeBlock label="Test event" language="shell" code={command} />
        ) : (
          <p className="text-muted text-sm">Save the signing secret first.</p>
        )}
      </div>
    </details>
  );
}
