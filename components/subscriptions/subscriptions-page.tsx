'use client';

import { useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { ListPage } from '@/components/data-table/list-page';
import { useEndpointNames } from '@/components/endpoints/use-endpoints';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { CreateButton } from '@/components/ui/action-buttons';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { toast } from '@/components/ui/toast';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Subscription } from '@/lib/delivery/schema';
import { subscriptionColumns } from './subscription-columns';
import { type OpenDialog, SubscriptionDialogs } from './subscription-dialogs';
import { SubscriptionActionsContext } from './subscriptions-context';
import { useSubscriptions } from './use-subscriptions';

/** The subscriptions of a project. */
export function SubscriptionsPage({ projectId }: { projectId: string }) {
  const subscriptions = useSubscriptions(projectId);
  const { endpoints, urlOf, isLoading } = useEndpointNames(projectId);
  const disabledReason = useDisabledReason(projectId, 'subscription.manage');
  const baseUrl = useBaseUrl();
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const { update } = subscriptions;
  const actions = {
    projectId,
    urlOf,
    disabledReason,
    edit: (subscription: Subscription) => setDialog({ kind: 'edit', subscription }),
    remove: (subscription: Subscription) => setDialog({ kind: 'remove', subscription }),
    toggle: (subscription: Subscription, enabled: boolean) =>
      void update(subscription.id, { enabled }).catch((error: unknown) => toast.error(describeError(error).detail)),
  };
  const noEndpoint = endpoints?.length === 0 ? 'Create an endpoint first. Every subscription needs one.' : undefined;
  const newSubscription = (
    <CreateButton
      label="New subscription"
      disabledReason={disabledReason ?? noEndpoint}
      onClick={() => setDialog({ kind: 'create' })}
    />
  );
  return (
    <SubscriptionActionsContext value={actions}>
      <ListPage
        title="Subscriptions"
        description="Choose which events each endpoint receives. An endpoint gets an event once, even if several subscriptions match."
        createButton={newSubscription}
        columns={subscriptionColumns}
        // Rows that get their URLs later would resize the columns.
        pages={isLoading ? { ...subscriptions, rows: undefined } : subscriptions}
        empty={{
          title: 'No subscriptions yet',
          sentence: 'A subscription sends matching events, such as order.paid, order.* or *, to an endpoint.',
          action:
            noEndpoint === undefined ? (
              newSubscription
            ) : (
              <Button asChild variant="primary">
                <Link href={`/projects/${projectId}/endpoints`}>Create an endpoint first</Link>
              </Button>
            ),
          code: {
            label: 'Create a subscription with the API',
            code: subscriptionCurl(baseUrl, projectId, endpoints?.[0]?.id),
          },
        }}
      />
      <SubscriptionDialogs
        dialog={dialog}
        onClose={() => setDialog(null)}
        endpoints={endpoints ?? []}
        actions={subscriptions}
      />
    </SubscriptionActionsContext>
  );
}

function subscriptionCurl(baseUrl: string, projectId: string, endpointId = 'ENDPOINT_ID'): string {
  return `curl ${baseUrl}/api/v1/projects/${projectId}/subscriptions \\
  -H "X-API-Key: $EDS_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"endpointId": "${endpointId}", "eventType": "order.*"}'`;
}
