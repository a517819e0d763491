'use client';

import { Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { KEY_VARIABLE } from '@/components/keys/samples';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { useSourceScope } from '@/components/sources/source-context';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Skeleton } from '@/components/ui/skeleton';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { OpenDestinationDialog } from './destination-dialogs';
import { DestinationRow } from './destination-row';
import { type DestinationActions, destinationsPath, useDestinations } from './use-destinations';

const DestinationDialogs = dynamic(() => import('./destination-dialogs').then((part) => part.DestinationDialogs));

/** The destinations of a source: where its verified events are forwarded. */
export function DestinationsCard() {
  const { projectId, source } = useSourceScope();
  const disabledReason = useDisabledReason(projectId, 'destination.manage');
  const actions = useDestinations(projectId, source.id);
  const [dialog, setDialog] = useState<OpenDestinationDialog | null>();
  const isEmpty = actions.destinations?.length === 0;
  const add = (
    <Button
      size={isEmpty ? 'md' : 'sm'}
      variant={isEmpty ? 'primary' : 'secondary'}
      disabledReason={disabledReason}
      onClick={() => setDialog({ kind: 'create' })}
    >
      <Plus aria-hidden="true" />
      Add destination
    </Button>
  );
  return (
    <Card
      title="Destinations"
      description={
        source.provider === 'NONE'
          ? 'We forward every event to each of these URLs.'
          : 'We forward every verified event to each of these URLs.'
      }
      actions={isEmpty ? null : add}
      flush
    >
      <List actions={actions} add={add} open={setDialog} />
      {dialog === undefined ? null : <DestinationDialogs dialog={dialog} open={setDialog} actions={actions} />}
    </Card>
  );
}

function List({
  actions,
  add,
  open,
}: {
  actions: DestinationActions;
  add: React.ReactNode;
  open: (dialog: OpenDestinationDialog) => void;
}) {
  const { projectId, source } = useSourceScope();
  const disabledReason = useDisabledReason(projectId, 'destination.manage');
  const secretDisabledReason = useDisabledReason(projectId, 'destination.secret');
  const baseUrl = useBaseUrl();
  const { destinations, error } = actions;
  if (destinations === undefined) {
    if (error) {
      const onRetry = () => void actions.reload();
      return <ErrorPanel what="We couldn’t load the destinations" error={error} onRetry={onRetry} />;
    }
    return (
      <div className="grid gap-2 p-4">
        <Skeleton className="w-80 max-w-full" />
        <Skeleton className="w-56 max-w-full" />
      </div>
    );
  }
  if (destinations.length === 0) {
    return (
      <EmptyState
        title="No destinations yet"
        sentence="Events are stored but not forwarded. Add a URL to forward them to, with automatic retries."
        action={add}
        code={{
          label: 'Create a destination with the API',
          code: `curl ${baseUrl}/api/v1${destinationsPath(projectId, source.id)} \\
  -H "X-API-Key: ${KEY_VARIABLE}" \\
  -H "Content-Type: application/json" \\
  -d '{"url": "https://example.com/webhooks"}'`,
        }}
      />
    );
  }
  return (
    <ul className="divide-y">
      {destinations.map((destination) => (
        <DestinationRow
          key={destination.id}
          projectId={projectId}
          destination={destination}
          disabledReason={disabledReason}
          secretDisabledReason={secretDisabledReason}
          open={open}
          resume={() => actions.update(destination.id, { enabled: true })}
        />
      ))}
    </ul>
  );
}
