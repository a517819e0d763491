'use client';

import { Eye, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { PauseDialog } from '@/components/endpoints/pause-dialog';
import { RecoverDialog } from '@/components/endpoints/recover-form';
import { useAsyncAction } from '@/components/form/use-async-action';
import { PreviousSecret, SIGNING_EFFECT } from '@/components/projects/previous-secret';
import { RotationForm } from '@/components/projects/rotation-form';
import { useSecret } from '@/components/projects/secret-card';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { InlineError } from '@/components/ui/inline-error';
import { toast } from '@/components/ui/toast';
import type { Destination, DestinationSecret } from '@/lib/incoming/schema';
import { DestinationForm } from './destination-form';
import { type DestinationActions, outageTargetOf } from './use-destinations';

export type OpenDestinationDialog =
  | { kind: 'create' }
  | { kind: 'edit' | 'secret' | 'pause' | 'recover' | 'remove'; destination: Destination };

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
  const asked = dialog === null || dialog.kind === 'create' ? null : dialog.destination;
  const openIs = (kind: OpenDestinationDialog['kind']) => ({ open: dialog?.kind === kind, onOpenChange: close });
  return (
    <>
      <Dialog {...openIs('create')} title="New destination">
        <DestinationForm
          send={async (body) => {
            const destination = await actions.create(body);
            open(destination.hasSecret ? { kind: 'secret', destination } : null);
          }}
        />
      </Dialog>
      {asked === null ? null : (
        <>
          <Dialog {...openIs('edit')} title="Edit destination">
            <DestinationForm destination={asked} send={(body) => actions.update(asked.id, body).then(close)} />
          </Dialog>
          <Dialog
            {...openIs('secret')}
            title="Signing secret"
            description="The receiver uses it to verify that requests come from us. Viewing or rotating it is recorded in the audit log."
          >
            <DestinationSecretPanel
              destination={actions.destinations?.find(({ id }) => id === asked.id) ?? asked}
              actions={actions}
            />
          </Dialog>
          <PauseDialog {...openIs('pause')} noun="destination" pause={(change) => actions.update(asked.id, change)} />
          <RecoverDialog {...openIs('recover')} target={outageTargetOf(actions, asked)} />
          <ConfirmDialog
            {...openIs('remove')}
            title="Delete this destination?"
            description={
              <>
                <code className="line-clamp-6 break-all font-mono text-xs">{asked.url}</code> stops receiving events.
                Its deliveries stay visible, and pending retries fail.
              </>
            }
            confirmLabel="Delete destination"
            onConfirm={async () => {
              await actions.remove(asked.id);
              toast.success('Destination deleted.');
            }}
          />
        </>
      )}
    </>
  );
}

/** Shows, creates, rotates and removes the secret that deliveries to a destination are signed with. */
function DestinationSecretPanel({ destination, actions }: { destination: Destination; actions: DestinationActions }) {
  const { id, hasSecret, previousSecretExpiresAt } = destination;
  const secret = useSecret<DestinationSecret>({
    data: destination,
    reload: async () => (await actions.reload())?.data.find((each) => each.id === id),
    revealSecret: () => actions.revealSecret(id),
  });
  const [asking, setAsking] = useState<'rotate' | 'remove' | null>(null);
  const { pending, error, run } = useAsyncAction();
  const create = () => void run(async () => secret.replace(await actions.rotateSecret(id), true));
  if (!hasSecret) {
    return (
      <div className="grid gap-3">
        <p className="text-sm">
          Deliveries to this destination aren’t signed. Create a secret to add a Standard Webhooks signature.
        </p>
        <InlineError what="We couldn’t create the secret" error={error} />
        <DialogActions>
          <Button variant="primary" loading={pending} onClick={create}>
            Create secret
          </Button>
        </DialogActions>
      </div>
    );
  }
  if (asking === 'rotate') {
    return (
      <RotationForm
        what="secret"
        text="Until the old secret ends, every delivery carries both signatures. A secret from before an earlier rotation ends now."
        send={async (gracePeriodHours) => {
          await secret.replace(await actions.rotateSecret(id, gracePeriodHours), true);
          setAsking(null);
        }}
      />
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="flex min-h-10 min-w-0 items-center justify-between gap-2 rounded-md border bg-sunken py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 break-all font-mono text-sm">
          {secret.shown ?? 'whsec_••••••••••••••••••••••••••••'}
        </code>
        {secret.shown === null ? (
          <Button size="sm" loading={secret.pending} onClick={secret.toggle}>
            <Eye aria-hidden="true" />
            Show
          </Button>
        ) : (
          <CopyButton text={secret.shown} label="Copy the signing secret" />
        )}
      </p>
      <PreviousSecret
        expiresAt={previousSecretExpiresAt}
        effect={SIGNING_EFFECT}
        end={() => actions.endPreviousSecret(id)}
        disabledReason={undefined}
      />
      <InlineError what="We couldn’t show the secret" error={secret.error} />
      <DialogActions>
        <Button variant="quietDanger" onClick={() => setAsking('remove')}>
          <Trash2 aria-hidden="true" />
          Remove secret
        </Button>
        <Button onClick={() => setAsking('rotate')}>
          <RefreshCw aria-hidden="true" />
          Rotate secret
        </Button>
      </DialogActions>
      <ConfirmDialog
        open={asking === 'remove'}
        onOpenChange={() => setAsking(null)}
        title="Remove the signing secret?"
        description="We stop signing deliveries immediately. Receivers that verify our signature will reject them."
        confirmLabel="Remove secret"
        onConfirm={() => actions.removeSecret(id)}
      />
    </div>
  );
}
