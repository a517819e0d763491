'use client';

import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import type { Endpoint, Subscription } from '@/lib/delivery/schema';
import { explainPattern } from './explain-pattern';
import type { useSubscriptions } from './use-subscriptions';

export type OpenDialog =
  | { kind: 'create' }
  | { kind: 'edit'; subscription: Subscription }
  | { kind: 'remove'; subscription: Subscription }
  | null;

/** The dialogs of the subscriptions page; at most one is open. */
export function SubscriptionDialogs({
  dialog,
  onClose,
  endpoints,
  actions,
}: {
  dialog: OpenDialog;
  onClose: () => void;
  endpoints: Endpoint[];
  actions: Pick<ReturnType<typeof useSubscriptions>, 'create' | 'update' | 'remove'>;
}) {
  return (
    <>
      <Dialog open={dialog?.kind === 'create'} onOpenChange={onClose} title="New subscription">
        <SubscriptionForm
          endpoints={endpoints}
          submitLabel="Create subscription"
          send={async (values) => {
            await actions.create(values);
            onClose();
          }}
        />
      </Dialog>
      <Dialog open={dialog?.kind === 'edit'} onOpenChange={onClose} title="Edit subscription">
        {dialog?.kind === 'edit' ? (
          <SubscriptionForm
            subscription={dialog.subscription}
            endpoints={endpoints}
            submitLabel="Save subscription"
            send={async ({ eventType }) => {
              await actions.update(dialog.subscription.id, { eventType });
              onClose();
            }}
          />
        ) : null}
      </Dialog>
      <ConfirmDialog
        open={dialog?.kind === 'remove'}
        onOpenChange={onClose}
        title="Delete this subscription?"
        description={
          <>
            Events matching{' '}
            <code className="font-mono">{dialog?.kind === 'remove' ? dialog.subscription.eventType : ''}</code> are no
            longer sent to its endpoint. Pending deliveries continue.
          </>
        }
        confirmLabel="Delete subscription"
        onConfirm={() => (dialog?.kind === 'remove' ? actions.remove(dialog.subscription.id) : undefined)}
      />
    </>
  );
}

/** Creates or edits a subscription. The endpoint of an existing one cannot be changed. */
function SubscriptionForm({
  subscription,
  endpoints,
  send,
  submitLabel,
}: {
  subscription?: Subscription;
  endpoints: Endpoint[];
  send: (values: { endpointId: string; eventType: string }) => Promise<unknown>;
  submitLabel: string;
}) {
  const form = useApiForm({
    defaultValues: {
      eventType: subscription?.eventType ?? '',
      endpointId: subscription?.endpointId ?? endpoints[0]?.id ?? '',
    },
    send: ({ eventType, endpointId }) => send({ eventType: eventType.trim(), endpointId }),
  });
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <Field label="Event type" error={form.fieldError('eventType')} hint={explainPattern(form.watch('eventType'))}>
        {(control) => (
          <Input
            {...control}
            {...form.register('eventType', { required: 'Enter an event type.' })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="order.*"
            className="font-mono"
          />
        )}
      </Field>
      {subscription === undefined ? (
        <Field label="Endpoint" error={form.fieldError('endpointId')}>
          {(control) => (
            <Select
              {...control}
              value={form.watch('endpointId')}
              onValueChange={(value) => form.setValue('endpointId', value)}
              options={endpoints.map(({ id, url }) => ({ value: id, label: url }))}
            />
          )}
        </Field>
      ) : null}
      <DialogSubmit
        label={submitLabel}
        failure="We couldn’t save the subscription"
        error={form.error}
        pending={form.pending}
      />
    </form>
  );
}
