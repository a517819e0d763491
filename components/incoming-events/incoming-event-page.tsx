'use client';

import useSWR from 'swr';
import type { CursorPage } from '@/components/data-table/use-pages';
import { DeliveryCard } from '@/components/deliveries/delivery-card';
import { deliveriesPath } from '@/components/deliveries/use-deliveries';
import { useChanges } from '@/components/live/use-changes';
import { RemovedByRetention } from '@/components/retention/removed-by-retention';
import { useSourceNames } from '@/components/sources/use-sources';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { CopyableId } from '@/components/ui/copyable-id';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { PageSkeleton, Skeleton } from '@/components/ui/skeleton';
import type { Delivery } from '@/lib/delivery/schema';
import type { IncomingEvent, IncomingEventDetail, Source } from '@/lib/incoming/schema';
import { BodyCard } from './body-card';
import { ReplayButton } from './replay-button';
import { SourceName } from './source-name';
import { describeUnverified } from './unverified-reason';
import { useIncomingEvent } from './use-incoming-events';
import { VerifiedBadge } from './verified-badge';

const KINDS = ['deliveries'] as const;

const SETTLING_MS = 2000;

/** One incoming event: whether it is verified, its deliveries, headers and body. */
export function IncomingEventPage({ projectId, incomingEventId }: { projectId: string; incomingEventId: string }) {
  const { data: event, error, mutate } = useIncomingEvent(projectId, incomingEventId);
  const { sources, sourceOf } = useSourceNames(projectId);
  const forwards = useForwards(projectId, incomingEventId);
  if (event === undefined) {
    if (error) {
      return (
        <RemovedByRetention
          what="incoming event"
          id={incomingEventId}
          projectId={projectId}
          error={error}
          onRetry={() => void mutate()}
        />
      );
    }
    return <PageSkeleton parts={['h-7 w-56', 'w-80 max-w-full', 'h-24 w-full', 'h-48 w-full', 'h-48 w-full']} />;
  }
  const source = sourceOf(event.sourceId);
  const name = <SourceName sourceId={event.sourceId} />;
  return (
    <>
      <PageHeader
        title={
          <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            {source === undefined ? (
              name
            ) : (
              <Link
                href={`/projects/${projectId}/sources/${source.id}`}
                className="min-w-0 rounded-sm underline-offset-4 hover:underline"
              >
                {name}
              </Link>
            )}
            <VerifiedBadge verified={event.verified} />
          </span>
        }
        description={
          <span className="mt-1 flex flex-wrap items-center gap-x-3">
            <CopyableId id={event.id} label="Copy incoming event ID" />
            <span>
              Received <RelativeTime at={event.createdAt} />
            </span>
            {event.providerEventId === null ? null : (
              <span className="flex min-w-0 max-w-full items-center gap-1">
                <span className="whitespace-nowrap">Provider’s ID</span>{' '}
                <CopyableId id={event.providerEventId} label="Copy the provider’s ID" />
              </span>
            )}
          </span>
        }
        actions={
          <ReplayButton
            projectId={projectId}
            event={event}
            source={source}
            isSourceKnown={sources !== undefined}
            onReplayed={() => void forwards.reload()}
          />
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {event.verified === false && sources !== undefined ? (
          <UnverifiedCallout projectId={projectId} event={event} source={source} />
        ) : null}
        <Forwards projectId={projectId} event={event} forwards={forwards} />
        {event.query === null ? null : (
          <Card title="Query string">
            <code className="break-all font-mono text-xs leading-5">{event.query}</code>
          </Card>
        )}
        <BodyCard projectId={projectId} event={event} />
        <HeadersCard headers={event.headers} />
      </div>
    </>
  );
}

/** The headers of an incoming event, in order of arrival. */
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

/** Says why an incoming event was not verified, and what to do about it. */
function UnverifiedCallout({
  projectId,
  event,
  source,
}: {
  projectId: string;
  event: IncomingEventDetail;
  /** Undefined after it is deleted. */
  source: Source | undefined;
}) {
  return (
    <Callout tone="danger">
      <p className="font-medium">{describeUnverified(event, source)}</p>
      <p>
        We responded with 401 and didn’t forward the event.{' '}
        {source === undefined ? null : (
          <>
            Check that the provider’s secret matches{' '}
            <Link
              href={`/projects/${projectId}/sources/${source.id}`}
              className="rounded-sm font-medium text-accent-text underline underline-offset-2"
            >
              the source’s secret
            </Link>
            .
          </>
        )}
      </p>
    </Callout>
  );
}

/** The deliveries of an incoming event to its destinations, with their attempts. */
function Forwards({
  projectId,
  event,
  forwards: { forwards, error, reload },
}: {
  projectId: string;
  event: Pick<IncomingEvent, 'sourceId' | 'verified'>;
  forwards: ReturnType<typeof useForwards>;
}) {
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
              <Link
                href={`/projects/${projectId}/sources/${event.sourceId}`}
                className="font-medium text-accent-text underline"
              >
                View destinations
              </Link>
            </>
          )}
        </div>
      ) : null}
      {forwards?.map((delivery) => (
        <DeliveryCard key={delivery.id} projectId={projectId} delivery={delivery} onChanged={() => void reload()} />
      ))}
    </section>
  );
}

/** Loads the forwards of an incoming event, at most a hundred, and follows them while one is pending. */
function useForwards(projectId: string, incomingEventId: string) {
  const path = `${deliveriesPath(projectId)}?incomingEventId=${incomingEventId}&limit=100`;
  const swr = useSWR<CursorPage<Delivery>>(path, {
    refreshInterval: (page) => (hasPending(page) ? SETTLING_MS : 0),
  });
  useChanges(hasPending(swr.data) ? projectId : null, KINDS, () => swr.mutate());
  return { forwards: swr.data?.data, error: swr.error as unknown, reload: () => swr.mutate() };
}

function hasPending(page: CursorPage<Delivery> | undefined): boolean {
  return page?.data.some(({ status }) => status === 'PENDING') ?? false;
}
