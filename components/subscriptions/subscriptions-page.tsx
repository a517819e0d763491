'use client';

import { Pencil, Trash2 } from 'lucide-react';
import { createContext, useContext, useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { ACTIONS_COLUMN, columnHelperFor } from '@/components/data-table/column-helper';
import { ListPage } from '@/components/data-table/list-page';
import { useEndpointNames } from '@/components/endpoints/use-endpoints';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { CreateButton } from '@/components/ui/action-buttons';
import { Button } from '@/components/ui/button';
import { MenuItem, RowMenu } from '@/components/ui/dropdown-menu';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { Switch } from '@/components/ui/switch';
import { toast } from '@/components/ui/toast';
import { TypeName } from '@/components/ui/type-name';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Subscription } from '@/lib/delivery/schema';
import { type OpenDialog, SubscriptionDialogs } from './subscription-dialogs';
import { useSubscriptions } from './use-subscriptions';

interface SubscriptionActions {
  projectId: string;
  urlOf: (endpointId: string) => string | undefined;
  toggle: (subscription: Subscription, enabled: boolean) => void;
  edit: (subscription: Subscription) => void;
  remove: (subscription: Subscription) => void;
  /** Why subscriptions cannot be changed; undefined when they can. */
  disabledReason: string | undefined;
}

const SubscriptionActionsContext = createContext<SubscriptionActions | null>(null);

const column = columnHelperFor<Subscription>();

const subscriptionColumns = column.columns([
  column.accessor('eventType', {
    header: 'Event type',
    meta: { primary: true },
    cell: ({ row }) => <TypeName>{row.original.eventType}</TypeName>,
  }),
  column.accessor('endpointId', {
    header: 'Endpoint',
    meta: { unlabelled: true, className: 'sm:max-w-56 md:max-w-96' },
    cell: ({ row }) => <EndpointCell subscription={row.original} />,
  }),
  column.accessor('enabled', { header: 'Enabled', cell: ({ row }) => <EnabledCell subscription={row.original} /> }),
  column.accessor('createdAt', {
    header: 'Created',
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} inRow />,
  }),
  column.display({ ...ACTIONS_COLUMN, cell: ({ row }) => <SubscriptionRowMenu subscription={row.original} /> }),
]);

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

function EndpointCell({ subscription }: { subscription: Subscription }) {
  const { projectId, urlOf } = useSubscriptionActions();
  return (
    <Link
      href={`/projects/${projectId}/endpoints/${subscription.endpointId}`}
      prefetch={false}
      className="block truncate rounded-sm font-mono text-xs hover:underline"
    >
      {urlOf(subscription.endpointId) ?? `…${subscription.endpointId.slice(-8)}`}
    </Link>
  );
}

function EnabledCell({ subscription }: { subscription: Subscription }) {
  const { toggle, disabledReason } = useSubscriptionActions();
  return (
    <Switch
      aria-label={`${subscription.eventType} enabled`}
      checked={subscription.enabled}
      disabledReason={disabledReason}
      onCheckedChange={(enabled) => toggle(subscription, enabled)}
    />
  );
}

function SubscriptionRowMenu({ subscription }: { subscription: Subscription }) {
  const { edit, remove, disabledReason } = useSubscriptionActions();
  return (
    <RowMenu of={subscription.eventType}>
      <MenuItem disabledReason={disabledReason} onSelect={() => edit(subscription)}>
        <Pencil aria-hidden="true" />
        Edit
      </MenuItem>
      <MenuItem tone="danger" disabledReason={disabledReason} onSelect={() => remove(subscription)}>
        <Trash2 aria-hidden="true" />
        Delete
      </MenuItem>
    </RowMenu>
  );
}

/** Returns the actions of a row. */
function useSubscriptionActions(): SubscriptionActions {
  const actions = useContext(SubscriptionActionsContext);
  if (actions === null) throw new Error('useSubscriptionActions outside SubscriptionsPage');
  return actions;
}
