'use client';

import { ResourceHead } from '@/components/projects/resource-head';
import { CopyableId } from '@/components/ui/copyable-id';
import type { Endpoint } from '@/lib/delivery/schema';
import { EndpointForm } from './endpoint-form';
import { PauseButton } from './pause-button';
import type { useEndpoint } from './use-endpoints';

/** The URL and description of an endpoint, and the buttons that pause, edit and delete it. */
export function EndpointHead({
  projectId,
  endpoint,
  actions,
  disabledReason,
}: {
  projectId: string;
  endpoint: Endpoint;
  actions: ReturnType<typeof useEndpoint>;
  disabledReason: string | undefined;
}) {
  return (
    <ResourceHead
      kind="endpoint"
      title={<span className="break-all font-mono text-lg">{endpoint.url}</span>}
      description={
        <span className="flex flex-wrap items-center gap-x-3">
          {endpoint.description}
          <CopyableId id={endpoint.id} label="Copy endpoint ID" />
        </span>
      }
      actions={<PauseButton endpoint={endpoint} update={actions.update} disabledReason={disabledReason} />}
      disabledReason={disabledReason}
      editForm={(close) => (
        <EndpointForm
          endpoint={endpoint}
          submitLabel="Save endpoint"
          send={(body) => actions.update(body).then(close)}
        />
      )}
      deletion={{
        title: 'Delete this endpoint?',
        description:
          'Its subscriptions are deleted too, and it stops receiving events. Existing deliveries stay visible.',
      }}
      remove={actions.remove}
      listPath={`/projects/${projectId}/endpoints`}
    />
  );
}
