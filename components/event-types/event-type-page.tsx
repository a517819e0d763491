'use client';

import { Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { eventCurl } from '@/components/events/event-page';
import { KEY_VARIABLE } from '@/components/keys/samples';
import { ResourceFailure, ResourceHead, ResourcePage } from '@/components/projects/resource-page';
import { useDisabledReason } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code-block';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog } from '@/components/ui/dialog';
import { formatCount } from '@/components/ui/format-figures';
import { prettyJson } from '@/components/ui/format-json';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { CatalogueType } from '@/lib/events/schema';
import { SchemaCard } from './schema-card';
import { TypeStatus } from './type-status';
import { ReceiversCard, SendersCard } from './type-users';
import { useEventType } from './use-event-types';

const EventTypeForm = dynamic(() => import('./event-type-form').then((part) => part.EventTypeForm));

/** One event type: what it means, its schema and example, who sends it and who receives it. */
export function EventTypePage() {
  const actions = useEventType();
  return (
    <ResourcePage
      from={actions}
      skeleton={['h-7 w-56 max-w-full', 'h-48 w-full', 'h-48 w-full']}
      failure={(failure) => <ResourceFailure kind="event type" {...failure} />}
    >
      {(type) => (
        <>
          <Head type={type} actions={actions} />
          <div className="grid gap-5">
            <Notes type={type} />
            <SchemaCard schema={type.schema} />
            <ExampleCard type={type} />
            <div className="grid items-start gap-5 lg:grid-cols-2">
              <SendersCard name={type.name} />
              <ReceiversCard type={type} />
            </div>
          </div>
        </>
      )}
    </ResourcePage>
  );
}

function Head({ type, actions }: { type: CatalogueType; actions: ReturnType<typeof useEventType> }) {
  const disabledReason = useDisabledReason('event_type.manage');
  const title = <span className="break-all font-mono text-lg">{type.name}</span>;
  if (type.status === 'SEEN') return <SeenHead title={title} type={type} actions={actions} />;
  return (
    <ResourceHead
      kind="event type"
      title={title}
      description={<Description type={type} />}
      disabledReason={disabledReason}
      editForm={(close) => <EventTypeForm type={type} send={(...values) => actions.save(...values).then(close)} />}
      editSize="lg"
      deletion={{
        title: `Delete ${type.name}?`,
        description:
          'Its description, schema and example are removed from the catalogue. Events of this type stay, and can still be sent unless the project is strict.',
      }}
      remove={actions.remove}
    />
  );
}

function SeenHead({
  title,
  type,
  actions,
}: {
  title: React.ReactNode;
  type: CatalogueType;
  actions: ReturnType<typeof useEventType>;
}) {
  const disabledReason = useDisabledReason('event_type.manage');
  const [isDefining, setDefining] = useState(false);
  return (
    <>
      <PageHeader
        title={title}
        description={<Description type={type} />}
        actions={
          <Button variant="primary" disabledReason={disabledReason} onClick={() => setDefining(true)}>
            <Plus aria-hidden="true" />
            Define event type
          </Button>
        }
      />
      <Dialog open={isDefining} onOpenChange={setDefining} title="Define event type" size="lg">
        <EventTypeForm type={type} send={(values) => actions.define(values).then(() => setDefining(false))} />
      </Dialog>
    </>
  );
}

function Description({ type: { description, group, lastSeenAt, status } }: { type: CatalogueType }) {
  return (
    <span className="grid gap-1.5">
      {description === null ? null : <span className="wrap-anywhere whitespace-pre-line">{description}</span>}
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <TypeStatus status={status} />
        {group === null ? null : <span>{group}</span>}
        <span>
          {lastSeenAt === null ? (
            'Never sent'
          ) : (
            <>
              Last sent <RelativeTime at={lastSeenAt} />
            </>
          )}
        </span>
      </span>
    </span>
  );
}

/** What somebody should act on. */
function Notes({ type: { status, lastSeenAt, mismatches } }: { type: CatalogueType }) {
  return (
    <>
      {status === 'SEEN' ? (
        <Callout tone="accent">
          This type was sent, and is not in the catalogue. Define it, so that receivers know what it has, or find out
          below who sends it.
        </Callout>
      ) : null}
      {status === 'DEPRECATED' && lastSeenAt !== null ? (
        <Callout tone="warning">
          It is deprecated and was still sent. See below who sends it, and who receives it.
        </Callout>
      ) : null}
      {mismatches.count === 0 ? null : (
        <Callout tone="warning">
          {mismatches.count === 1 ? '1 event differs' : `${formatCount(mismatches.count)} events differ`} from the
          schema since it was last changed
          {mismatches.lastAt === null ? null : (
            <>
              , the last one <RelativeTime at={mismatches.lastAt} />
            </>
          )}
          .
        </Callout>
      )}
    </>
  );
}

function ExampleCard({ type: { name, example } }: { type: CatalogueType }) {
  const baseUrl = useBaseUrl();
  if (example === null) {
    return (
      <Card title="Example">
        <p className="text-muted text-sm">None yet. With one, people can send it to their endpoint.</p>
      </Card>
    );
  }
  return (
    <Card
      title="Example"
      description="What data can look like."
      flush
      actions={
        <CopyButton
          variant="secondary"
          size="sm"
          label="Copy a curl command that sends this example as an event"
          text={eventCurl(baseUrl, KEY_VARIABLE, { type: name, data: example, customerUid: null })}
        >
          Copy as curl
        </CopyButton>
      }
    >
      <CodeBlock label="Example" language="json" code={prettyJson(example)} className="rounded-none border-0" />
    </Card>
  );
}
