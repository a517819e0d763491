'use client';

import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { columnsOf } from '@/components/data-table/column-helper';
import { ListPage } from '@/components/data-table/paged-table';
import { usePages } from '@/components/data-table/use-pages';
import { useEndpointNames } from '@/components/endpoints/use-endpoints';
import { CODE, DialogForm, TextField } from '@/components/form/form-fields';
import { SelectField } from '@/components/form/select-field';
import { useApiForm } from '@/components/form/use-api-form';
import { createCurl } from '@/components/keys/samples';
import { useDisabledReason, useProjectPath } from '@/components/projects/use-projects';
import { CreateButton } from '@/components/ui/action-buttons';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { shortId } from '@/components/ui/copyable-id';
import { Dialog } from '@/components/ui/dialog';
import { MenuItem, RowMenu } from '@/components/ui/dropdown-menu';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { TypeName } from '@/components/ui/stat';
import { Switch } from '@/components/ui/switch';
import { toast } from '@/components/ui/toast';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Endpoint, Subscription } from '@/lib/delivery/schema';
import { EVENT_TYPE_RULES, explainPattern } from './explain-pattern';

type OpenDialog = { kind: 'create' } | { kind: 'edit' | 'remove'; subscription: Subscription };

/** The subscriptions of a project. */
export function SubscriptionsPage() {
  const path = useProjectPath('subscriptions');
  const endpointsPath = useProjectPath('endpoints');
  const subscriptions = usePages<Subscription>(path, {}, { limit: 100 });
  const { rows: endpoints, find, isLoading } = useEndpointNames();
  const disabledReason = useDisabledReason('subscription.manage');
  const baseUrl = useBaseUrl();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const close = () => setDialog(null);
  const send = async (tail: string, method: 'POST' | 'PATCH' | 'DELETE', body?: object) => {
    await apiFetch(path + tail, { method, body });
    await subscriptions.reload();
  };
  const update = (id: string, body: { eventType?: string; enabled?: boolean }) => send(`/${id}`, 'PATCH', body);
  const asked = dialog === null || dialog.kind === 'create' ? null : dialog.subscription;
  const columns = columnsOf<Subscription>(
    [
      {
        header: 'Event type',
        primary: true,
        className: 'max-sm:pr-12',
        cell: ({ eventType }) => <TypeName>{eventType}</TypeName>,
      },
      {
        header: 'Endpoint',
        unlabelled: true,
        className: 'sm:max-w-56 md:max-w-96',
        cell: ({ endpointId }) => (
          <Link
            href={`${endpointsPath}/${endpointId}`}
            prefetch={false}
            title={find(endpointId)?.url}
            className="block truncate rounded-sm font-mono text-xs hover:underline"
          >
            {find(endpointId)?.url ?? shortId(endpointId)}
          </Link>
        ),
      },
      {
        header: 'Enabled',
        cell: ({ id, eventType, enabled }) => (
          <Switch
            aria-label={`${eventType} enabled`}
            checked={enabled}
            disabledReason={disabledReason}
            onCheckedChange={(next) =>
              void update(id, { enabled: next }).catch((error: unknown) => toast.error(describeError(error).detail))
            }
          />
        ),
      },
      { header: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} inRow /> },
    ],
    (subscription) => (
      <RowMenu of={subscription.eventType}>
        <MenuItem disabledReason={disabledReason} onSelect={() => setDialog({ kind: 'edit', subscription })}>
          <Pencil aria-hidden="true" />
          Edit
        </MenuItem>
        <MenuItem
          tone="danger"
          disabledReason={disabledReason}
          onSelect={() => setDialog({ kind: 'remove', subscription })}
        >
          <Trash2 aria-hidden="true" />
          Delete
        </MenuItem>
      </RowMenu>
    ),
  );
  const noEndpoint = endpoints?.length === 0 ? 'Create an endpoint first. Every subscription needs one.' : undefined;
  const newSubscription = (
    <CreateButton
      label="New subscription"
      disabledReason={disabledReason ?? noEndpoint}
      onClick={() => setDialog({ kind: 'create' })}
    />
  );
  return (
    <>
      <ListPage
        title="Subscriptions"
        description="Choose which events each endpoint receives. An endpoint gets an event once, even if several subscriptions match."
        createButton={newSubscription}
        columns={columns}
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
                <Link href={endpointsPath}>Create an endpoint first</Link>
              </Button>
            ),
          code: {
            label: 'Create a subscription with the API',
            code: createCurl(
              baseUrl,
              path,
              `{"endpointId": "${endpoints?.[0]?.id ?? 'ENDPOINT_ID'}", "eventType": "order.*"}`,
            ),
          },
        }}
      />
      <Dialog open={dialog?.kind === 'create'} onOpenChange={close} title="New subscription">
        <SubscriptionForm endpoints={endpoints ?? []} send={(body) => send('', 'POST', body).then(close)} />
      </Dialog>
      <Dialog open={dialog?.kind === 'edit'} onOpenChange={close} title="Edit subscription">
        {asked === null ? null : (
          <SubscriptionForm
            subscription={asked}
            endpoints={endpoints ?? []}
            send={({ eventType }) => update(asked.id, { eventType }).then(close)}
          />
        )}
      </Dialog>
      <ConfirmDialog
        open={dialog?.kind === 'remove'}
        onOpenChange={close}
        title="Delete this subscription?"
        description={
          <>
            Events matching <code className="font-mono">{asked?.eventType}</code> are no longer sent to its endpoint.
            Pending deliveries continue.
          </>
        }
        confirmLabel="Delete subscription"
        onConfirm={() => (asked === null ? undefined : send(`/${asked.id}`, 'DELETE'))}
      />
    </>
  );
}

/** Creates or edits a subscription. The endpoint of an existing one cannot be changed. */
function SubscriptionForm({
  subscription,
  endpoints,
  send,
}: {
  subscription?: Subscription;
  endpoints: Endpoint[];
  send: (values: { endpointId: string; eventType: string }) => Promise<unknown>;
}) {
  const form = useApiForm({
    defaultValues: {
      eventType: subscription?.eventType ?? '',
      endpointId: subscription?.endpointId ?? endpoints[0]?.id ?? '',
    },
    send: ({ eventType, endpointId }) => send({ eventType: eventType.trim(), endpointId }),
  });
  return (
    <DialogForm
      form={form}
      label={subscription === undefined ? 'Create subscription' : 'Save subscription'}
      failure="We couldn’t save the subscription"
    >
      <TextField
        form={form}
        name="eventType"
        rules={EVENT_TYPE_RULES}
        label="Event type"
        hint={explainPattern(form.watch('eventType'))}
        placeholder="order.*"
        {...CODE}
      />
      {subscription === undefined ? (
        <SelectField
          form={form}
          name="endpointId"
          label="Endpoint"
          options={endpoints.map(({ id, url }) => ({ value: id, label: url }))}
        />
      ) : null}
    </DialogForm>
  );
}
