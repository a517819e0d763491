'use client';

import { RemovedByRetention } from '@/components/retention/removed-by-retention';
import { useSourceNames } from '@/components/sources/use-sources';
import { Card } from '@/components/ui/card';
import { CopyableId } from '@/components/ui/copyable-id';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { PageSkeleton } from '@/components/ui/skeleton';
import { BodyCard } from './body-card';
import { Forwards } from './forwards';
import { HeadersCard } from './headers-card';
import { ReplayButton } from './replay-button';
import { SourceName } from './source-name';
import { UnverifiedCallout } from './unverified-callout';
import { useForwards } from './use-forwards';
import { useIncomingEvent } from './use-incoming-events';
import { VerifiedBadge } from './verified-badge';

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
