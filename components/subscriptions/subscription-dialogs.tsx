'use client';

import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog } from '@/components/ui/dialog';
import type { Endpoint, Subscription } from '@/lib/delivery/schema';
import { SubscriptionForm } from './subscription-form';
import type { useSubscriptions } from './use-subscriptions';

export type Asked =
  | { kind: 'create' }
  | { kind: 'edit'; subscription: Subscription }
  | { kind: 'remove'; subscription: Subscription }
  | null;

/** The dialogs of the subscriptions page; at most one is open. */
export function SubscriptionDialogs({
  asked,
  onClose,
  endpoints,
  actions,
}: {
  asked: Asked;
  onClose: () => void;
  endpoints: Endpoint[];
  actions: Pick<ReturnType<typeof useSubscriptions>, 'create' | 'update' | 'remove'>;
}) {
  return (
    <>
      <Dialog open={asked?.kind === 'create'} onOpenChange={onClose} title="New subscription">
        <SubscriptionForm
          endpoints={endpoints}
          submitLabel="Create subscription"
          send={async (values) => {
            await actions.create(values);
            onClose();
          }}
        />
      </Dialog>
      <Dialog open={asked?.kind === 'edit'} onOpenChange={onClose} title="Edit subscription">
        {asked?.kind === 'edit' ? (
          <SubscriptionForm
            subscription={asked.subscription}
            endpoints={endpoints}
            submitLabel="Save"
            send={async ({ eventType }) => {
              await actions.update(asked.subscription.id, { eventType });
              onClose();
            }}
          />
        ) : null}
      </Dialog>
      <ConfirmDialog
        open={asked?.kind === 'remove'}
        onOpenChange={onClose}
        title="Delete this subscription?"
        description={
          <>
            Events of <code className="font-mono">{asked?.kind === 'remove' ? asked.subscription.eventType : ''}</code>{' '}
            are no longer sent to its endpoint. Deliveries under way are finished.
          </>
        }
        confirmLabel="Delete subscription"
        onConfirm={() => (asked?.kind === 'remove' ? actions.remove(asked.subscription.id) : undefined)}
      />
    </>
  );
}
