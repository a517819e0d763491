'use client';

import { useParams } from 'next/navigation';
import type { CursorPage } from '@/components/data-table/use-pages';
import { DeliveryCards } from '@/components/deliveries/delivery-card';
import { useFollowed, useIncomingEvent } from '@/components/deliveries/use-deliveries';
import { ResourcePage } from '@/components/projects/resource-page';
import { VerifiedBadge } from '@/components/projects/state-badges';
import { useProjectPath } from '@/components/projects/use-projects';
import { RemovedByRetention } from '@/components/retention/retention-notes';
import { useSourceNames } from '@/components/sources/use-sources';
import { Card } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { CopyableId } from '@/components/ui/copyable-id';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { TypeName } from '@/components/ui/stat';
import type { Delivery } from '@/lib/delivery/schema';
import type { IncomingEventDetail, Source } from '@/lib/incoming/schema';
import { BodyCard } from './body-card';
import { SourceName } from './incoming-event-columns';
import { ReplayButton } from './replay';
import { UnverifiedCallout, useSignatureCheck } from './unverified-callout';

/** One incoming event: whether it is verified, its deliveries, headers and body. */
export function IncomingEventPage() {
  const { incomingEventId } = useParams<{ incomingEventId: string }>();
  const sourcesPath = useProjectPath('sources');
  const { rows: sources, find } = useSourceNames();
  // At most a hundred.
  const forwards = useFollowed<CursorPage<Delivery>>(
    useProjectPath(`deliveries?incomingEventId=${incomingEventId}&limit=100`),
    (page) => page.data.some(({ status }) => status === 'PENDING'),
  );
  return (
    <ResourcePage
      from={useIncomingEvent(incomingEventId)}
      skeleton={['h-7 w-56', 'w-80 max-w-full', 'h-24 w-full', 'h-48 w-full', 'h-48 w-full']}
      failure={(failure) => <RemovedByRetention what="incoming event" id={incomingEventId} {...failure} />}
    >
      {(event) => {
        const source = find(event.sourceId);
        const name = <SourceName sourceId={event.sourceId} className="wrap-anywhere" />;
        return (
          <>
            <PageHeader
              title={
                <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
                  {source === undefined ? (
                    name
                  ) : (
                    <Link
                      href={`${sourcesPath}/${source.id}`}
                      className="min-w-0 rounded-sm underline-offset-4 hover:underline"
                    >
                      {name}
                    </Link>
                  )}
                  <VerifiedBadge {...event} />
                </span>
              }
              description={
                <span className="mt-1 flex flex-wrap items-center gap-x-3">
                  {event.eventType === null ? null : <TypeName>{event.eventType}</TypeName>}
                  <CopyableId id={event.id} label="Copy incoming event ID" />
                  <span>
                    Received <RelativeTime at={event.createdAt} />
                  </span>
                  {event.clientAddress === null ? null : (
                    <span className="flex min-w-0 items-center gap-1">
                      from <CopyableId id={event.clientAddress} label="Copy the sender’s address" />
                    </span>
                  )}
                  {event.providerEventId === null ? null : (
                    <span className="flex min-w-0 max-w-full items-center gap-1">
                      <span className="whitespace-nowrap">Provider’s ID</span>{' '}
                      <CopyableId id={event.providerEventId} label="Copy the provider’s ID" />
                    </span>
                  )}
                </span>
              }
              actions={<ReplayButton event={event} onReplayed={forwards.reload} />}
            />
            <EventCards event={event} source={source} hasSources={sources !== undefined} forwards={forwards} />
          </>
        );
      }}
    </ResourcePage>
  );
}

/** Shows nothing before it knows why an event was not verified, so that the reason moves nothing. */
function EventCards({
  event,
  source,
  hasSources,
  forwards,
}: {
  event: IncomingEventDetail;
  source: Source | undefined;
  hasSources: boolean;
  forwards: ReturnType<typeof useFollowed<CursorPage<Delivery>>>;
}) {
  const check = useSignatureCheck(event);
  const isUnverified = event.verified === false;
  if (isUnverified && (check.isLoading || !hasSources)) return <Skeleton className="h-96 w-full" />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {isUnverified ? <UnverifiedCallout source={source} from={check} /> : null}
      <Forwards event={event} from={forwards} />
      {event.query === null ? null : (
        <Card title="Query string">
          <code className="break-all font-mono text-xs leading-5">{event.query}</code>
        </Card>
      )}
      <BodyCard event={event} />
      <HeadersCard headers={event.headers} />
    </div>
  );
}

function HeadersCard({ headers }: Pick<IncomingEventDetail, 'headers'>) {
  return (
    <Card
      title="Headers"
      description="Credentials such as Authorization, Cookie and tokens aren’t stored."
      actions={
        <CopyButton
          variant="secondary"
          text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
          label="Copy the headers"
        >
          Copy
        </CopyButton>
      }
      flush
    >
      {headers.length === 0 ? <p className="px-4 py-3 text-muted text-sm">No headers were stored.</p> : null}
      <dl className="divide-y">
        {headers.map(([name, value], index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a header can occur several times, and the list never changes
            key={index}
            className="grid gap-x-6 px-4 py-2 font-mono text-xs leading-5 sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)]"
          >
            <dt className="break-all text-muted">{name}</dt>
            <dd className="min-w-0 break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** The deliveries of an incoming event to its destinations, with their attempts. */
function Forwards({
  event,
  from: { data, error, reload },
}: {
  event: IncomingEventDetail;
  from: ReturnType<typeof useFollowed<CursorPage<Delivery>>>;
}) {
  const source = useProjectPath(`sources/${event.sourceId}`);
  const forwards = data?.data;
  return (
    <section aria-labelledby="forwards" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="forwards" className="mt-2 font-semibold text-base">
        Deliveries
      </h2>
      {forwards === undefined && error ? (
        <ErrorPanel what="We couldn’t load the deliveries" error={error} onRetry={() => void reload()} />
      ) : null}
      {forwards === undefined && !error ? <Skeleton className="h-16 w-full" /> : null}
      {forwards?.length === 0 ? (
        <div className="rounded-lg border border-dashed px-4 py-6 text-center text-muted text-sm">
          {event.verified === false ? (
            'Unverified events are never forwarded.'
          ) : (
            <>
              The source had no enabled destination when this event arrived.{' '}
              <Link href={source} className="font-medium text-accent-text underline">
                View destinations
              </Link>
            </>
          )}
        </div>
      ) : null}
      <DeliveryCards deliveries={forwards ?? []} receivedAt={event.createdAt} onChanged={reload} />
    </section>
  );
}
