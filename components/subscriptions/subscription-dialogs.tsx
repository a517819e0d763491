'use client';

import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog } from '@/components/ui/dialog';
import type { Endpoint, Subscription } from '@/lib/delivery/schema';
import { SubscriptionForm } from './subscription-form';
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
