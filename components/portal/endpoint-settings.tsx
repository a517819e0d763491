'use client';

import { useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { InlineError } from '@/components/ui/inline-error';
import { Skeleton } from '@/components/ui/skeleton';
import { Fact } from '@/components/ui/stat';
import type { Subscription } from '@/lib/delivery/schema';
import type { PortalEndpoint } from '@/lib/portal/schema';
import { describeEventTypes } from './describe-endpoint';
import { EndpointForm, type EndpointValues } from './endpoint-fields';
import { ListFailure } from './list-parts';
import { planSubscriptions } from './plan-subscriptions';
import { Actions, PortalDialog } from './portal-dialog';
import { usePortal } from './use-portal';
import { useSubscriptions } from './use-portal-data';

/** What the person decided of an endpoint, to change it or to delete it. */
export function EndpointSettings({
  endpoint,
  onChange,
  onDeleted,
}: {
  endpoint: PortalEndpoint;
  onChange: (changed: PortalEndpoint) => void;
  onDeleted: () => void;
}) {
  const { canManage, fetch } = usePortal();
  const { subscriptions, error, reload } = useSubscriptions(endpoint.id);
  const [hasSaved, setSaved] = useState(false);
  if (subscriptions === undefined) {
    if (error) return <ListFailure what="the settings" error={error} retry={reload} />;
    return <Skeleton className="h-64 w-full" />;
  }
  const eventTypes = activeTypesOf(subscriptions);
  if (!canManage) {
    return (
      <dl className="grid gap-3 text-sm">
        <Fact label="URL">{endpoint.url}</Fact>
        <Fact label="Events">{describeEventTypes({ eventTypes, eventTypeCount: eventTypes.length })}</Fact>
        <Fact label="Description">{endpoint.description ?? 'None'}</Fact>
      </dl>
    );
  }
  // Sends only what the person changed: a colleague may have changed the rest since the form opened.
  const save = async ({ url, description, eventTypes: wanted }: EndpointValues, shown: EndpointValues) => {
    setSaved(false);
    const path = `/endpoints/${endpoint.id}`;
    const body = {
      ...(url === shown.url ? {} : { url }),
      ...(description === shown.description ? {} : { description: description.trim() || null }),
    };
    onChange(await fetch<PortalEndpoint>(path, { method: 'PATCH', body }));
    try {
      for (const { method, id, body: change } of planSubscriptions(subscriptions, shown.eventTypes, wanted)) {
        await fetch(`${path}/subscriptions${id === undefined ? '' : `/${id}`}`, { method, body: change });
      }
    } finally {
      await reload();
    }
    setSaved(true);
  };
  return (
    <div className="grid gap-10">
      <div>
        <EndpointForm
          initial={{ url: endpoint.url, description: endpoint.description ?? '', eventTypes }}
          label="Save changes"
          failure="We couldn’t save the changes"
          send={save}
        />
        <p role="status" className="mt-2 text-muted text-sm">
          {hasSaved ? 'Saved.' : ''}
        </p>
      </div>
      <DeletePart endpoint={endpoint} onDeleted={onDeleted} />
    </div>
  );
}

const activeTypesOf = (subscriptions: readonly Subscription[]) =>
  subscriptions.filter(({ enabled }) => enabled).map(({ eventType }) => eventType);

function DeletePart({ endpoint: { id, url }, onDeleted }: { endpoint: PortalEndpoint; onDeleted: () => void }) {
  const { fetch } = usePortal();
  const [isAsking, setAsking] = useState(false);
  const { pending, error, run } = useAsyncAction();
  const remove = () =>
    run(async () => {
      await fetch(`/endpoints/${id}`, { method: 'DELETE' });
      onDeleted();
    });
  return (
    <section className="flex flex-wrap items-center justify-between gap-4 border-t pt-6">
      <div className="min-w-0">
        <h2 className="font-semibold">Delete this endpoint</h2>
        <p className="text-muted text-sm">It gets no more events. To stop for a while, pause it instead.</p>
      </div>
      <Button variant="quietDanger" onClick={() => setAsking(true)}>
        Delete endpoint
      </Button>
      {isAsking ? (
        <PortalDialog title="Delete this endpoint?" onClose={() => setAsking(false)}>
          <p className="wrap-anywhere mt-2 text-muted text-sm">
            {url} gets no more events, and what waits for it is dropped. Its secret is deleted. This can’t be undone.
          </p>
          <InlineError what="We couldn’t delete the endpoint" error={error} className="mt-4" />
          <Actions>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button variant="danger" loading={pending} onClick={() => void remove()}>
              Delete endpoint
            </Button>
          </Actions>
        </PortalDialog>
      ) : null}
    </section>
  );
}
