'use client';

import dynamic from 'next/dynamic';
import { LiveTable } from '@/components/data-table/live-table';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { DestinationsCard } from '@/components/destinations/destinations-card';
import { useDestinations } from '@/components/destinations/use-destinations';
import { incomingEventColumnsOfSource } from '@/components/incoming-events/incoming-event-columns';
import { incomingEventsPath } from '@/components/incoming-events/use-incoming-events';
import { LiveMark } from '@/components/live/live-mark';
import { ResourceHead } from '@/components/projects/resource-head';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Callout } from '@/components/ui/callout';
import { CopyableId } from '@/components/ui/copyable-id';
import { LoadFailure } from '@/components/ui/error-panel';
import { Link } from '@/components/ui/link';
import { PageSkeleton, Skeleton } from '@/components/ui/skeleton';
import type { IncomingEvent } from '@/lib/incoming/schema';
import { ProviderMark } from './provider-mark';
import { PROVIDERS } from './providers';
import { SecretCard } from './secret-card';
import { SetupCard } from './setup/setup-card';
import { SourceContext, useSourceScope } from './source-context';
import { SourceUrlCard } from './source-url-card';
import { useLastEvents } from './use-last-event';
import { useSourceSecret } from './use-source-secret';
import { useSource } from './use-sources';

const SHOWN = 10;

const KINDS = ['incomingEvents', 'deliveries'] as const;

const POLL_MS = 3000;

const EditSourceForm = dynamic(() => import('./edit-source-form').then((part) => part.EditSourceForm));

/** One source: its URL, how to set up its provider, its destinations, secret and incoming events. */
export function SourcePage({ projectId, sourceId }: { projectId: string; sourceId: string }) {
  const actions = useSource(projectId, sourceId);
  const secret = useSourceSecret(actions);
  const disabledReason = useDisabledReason(projectId, 'source.manage');
  const secretDisabledReason = useDisabledReason(projectId, 'source.secret');
  const { source, error } = actions;
  if (source === undefined) {
    if (error)
      return (
        <LoadFailure
          what="source"
          error={error}
          onRetry={() => void actions.reload()}
          back={{ href: `/projects/${projectId}/sources`, label: 'All sources' }}
        />
      );
    return <PageSkeleton parts={['h-9 w-64 max-w-full', 'h-36 w-full', 'h-80 w-full', 'h-40 w-full']} />;
  }
  return (
    <SourceContext value={{ projectId, source, actions, secret, disabledReason, secretDisabledReason }}>
      <SourceHead />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {source.enabled ? null : (
          <Callout tone="warning">
            <span className="font-medium">This source is disabled.</span> Requests to its URL get a 404. Edit the source
            to enable it.
          </Callout>
        )}
        <SourceUrlCard />
        <SourceCards />
      </div>
    </SourceContext>
  );
}

/** The cards whose height depends on what they load. None is shown before all have loaded, so that none moves another. */
function SourceCards() {
  const { projectId, source } = useSourceScope();
  const { destinations, error } = useDestinations(projectId, source.id);
  const hasEvents = useLastEvents(projectId, source);
  if (!hasEvents || (destinations === undefined && !error)) return <Skeleton className="h-96 w-full" />;
  return (
    <>
      {source.url === null ? null : <SetupCard url={source.url} />}
      <DestinationsCard />
      <SecretCard />
      <SourceEvents />
    </>
  );
}

/** The name and provider of a source, and the buttons that edit and delete it. */
function SourceHead() {
  const { projectId, source, actions, disabledReason } = useSourceScope();
  const { id, name, provider } = source;
  return (
    <ResourceHead
      kind="source"
      title={
        <span className="flex min-w-0 items-center gap-3">
          <ProviderMark provider={provider} size="md" />
          <span className="min-w-0 break-words">{name}</span>
        </span>
      }
      description={
        <span className="mt-1.5 flex flex-wrap items-center gap-x-3">
          {name === PROVIDERS[provider].name ? null : PROVIDERS[provider].name}
          <CopyableId id={id} label="Copy source ID" />
        </span>
      }
      disabledReason={disabledReason}
      editForm={(close) => <EditSourceForm source={source} send={(body) => actions.update(body).then(close)} />}
      editSize={provider === 'GENERIC_HMAC' ? 'lg' : 'md'}
      deletion={{
        title: 'Delete this source?',
        description:
          'Its URL stops working immediately, and its destinations are deleted too. Incoming events stay visible until retention removes them.',
        typeToConfirm: name,
      }}
      remove={actions.remove}
      listPath={`/projects/${projectId}/sources`}
    />
  );
}

/** The newest incoming events of a source, live, with a link to all. */
function SourceEvents() {
  const { projectId, source } = useSourceScope();
  const events = useLivePages<IncomingEvent>(
    incomingEventsPath(projectId),
    { sourceId: source.id },
    { projectId, kinds: KINDS, pollMs: POLL_MS },
  );
  const all = `/projects/${projectId}/incoming-events?sourceId=${source.id}`;
  return (
    <section aria-labelledby="incoming-events" className="mt-2">
      <div className="mb-3 flex items-center justify-between gap-4">
        <h2 id="incoming-events" className="font-semibold text-base">
          Incoming events
        </h2>
        <span className="flex items-center gap-3">
          <LiveMark status={events.status} className="max-sm:static" />
          <Link href={all} className="rounded-sm font-medium text-accent-text text-sm hover:underline">
            View all
          </Link>
        </span>
      </div>
      <LiveTable
        label="Incoming events"
        columns={incomingEventColumnsOfSource}
        pages={{ ...events, rows: events.rows?.slice(0, SHOWN), hasMore: false }}
        noun={['event', 'events']}
        rowHref={(event) => `/projects/${projectId}/incoming-events/${event.id}`}
        empty={<p className="px-4 py-8 text-center text-muted text-sm">Events appear here as soon as they arrive.</p>}
      />
    </section>
  );
}
