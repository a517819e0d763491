'use client';

import { DestinationsCard } from '@/components/destinations/destinations-card';
import { useDestinations } from '@/components/destinations/use-destinations';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Callout } from '@/components/ui/callout';
import { LoadFailure } from '@/components/ui/error-panel';
import { PageSkeleton, Skeleton } from '@/components/ui/skeleton';
import { SecretCard } from './secret-card';
import { SetupCard } from './setup/setup-card';
import { SourceContext, useSourceScope } from './source-context';
import { SourceEvents } from './source-events';
import { SourceHead } from './source-head';
import { SourceUrlCard } from './source-url-card';
import { useLastEvents } from './use-last-event';
import { useSourceSecret } from './use-source-secret';
import { useSource } from './use-sources';

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
