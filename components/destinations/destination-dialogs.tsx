'use client';

import { PauseDialog } from '@/components/endpoints/pause-dialog';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog } from '@/components/ui/dialog';
import { toast } from '@/components/ui/toast';
import type { Destination } from '@/lib/incoming/schema';
import { DestinationForm } from './destination-form';
import { DestinationSecretPanel } from './destination-secret';
import type { DestinationActions } from './use-destinations';

export type OpenDestinationDialog =
  | { kind: 'create' }
  | { kind: 'edit'; destination: Destination }
  | { kind: 'secret'; destination: Destination }
  | { kind: 'pause'; destination: Destination }
  | { kind: 'remove'; destination: Destination };

/** The dialogs of the destinations of a source, one at a time. */
export function DestinationDialogs({
  dialog,
  open,
  actions,
}: {
  dialog: OpenDestinationDialog | null;
  open: (dialog: OpenDestinationDialog | null) => void;
  actions: DestinationActions;
}) {
  const close = () => open(null);
  const paused = dialog?.kind === 'pause' ? dialog.destination : null;
  const removed = dialog?.kind === 'remove' ? dialog.destination : null;
  return (
    <>
      <Dialog open={dialog?.kind === 'create'} onOpenChange={close} title="New destination">
        <DestinationForm
          submitLabel="Create destination"
          send={async (body) => {
            const destination = await actions.create(body);
            open(destination.hasSecret ? { kind: 'secret', destination } : null);
          }}
        />
      </Dialog>
      <Dialog open={dialog?.kind === 'edit'} onOpenChange={close} title="Edit destination">
        {dialog?.kind === 'edit' ? (
          <DestinationForm
            destination={dialog.destination}
            submitLabel="Save destination"
            send={async (body) => {
              await actions.update(dialog.destination.id, body);
              close();
            }}
          />
        ) : null}
      </Dialog>
      <Dialog
        open={dialog?.kind === 'secret'}
        onOpenChange={close}
        title="Signing secret"
        description="The receiver uses it to verify that requests come from us. Viewing or rotating it is recorded in the audit log."
      >
        {dialog?.kind === 'secret' ? (
          <DestinationSecretPanel
            id={dialog.destination.id}
            hasSecret={
              actions.destinations?.find(({ id }) => id === dialog.destination.id)?.hasSecret ??
              dialog.destination.hasSecret
            }
            actions={actions}
          />
        ) : null}
      </Dialog>
      <PauseDialog
        open={paused !== null}
        onOpenChange={close}
        noun="destination"
        pause={async (change) => {
          if (paused !== null) await actions.update(paused.id, change);
        }}
      />
      <ConfirmDialog
        open={removed !== null}
        onOpenChange={close}
        title="Delete this destination?"
        description={
          <>
            <code className="break-all font-mono text-xs">{removed?.url}</code> stops receiving events. Its deliveries
            stay visible, and pending retries fail.
          </>
        }
        confirmLabel="Delete destination"
        onConfirm={async () => {
          if (removed === null) return;
          await actions.remove(removed.id);
          toast.success('Destination deleted.');
        }}
      />
    </>
  );
}
