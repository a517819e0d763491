'use client';

import { Eye, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { CopyButton } from '@/components/ui/copy-button';
import { DialogActions } from '@/components/ui/dialog';
import { formatAbsolute } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import type { DestinationSecret } from '@/lib/incoming/schema';
import type { DestinationActions } from './use-destinations';

const MASK = 'whsec_••••••••••••••••••••••••••••';

/** Shows, creates, rotates and removes the secret that deliveries to a destination are signed with. */
export function DestinationSecretPanel({
  id,
  hasSecret,
  actions,
}: {
  id: string;
  hasSecret: boolean;
  actions: Pick<DestinationActions, 'revealSecret' | 'rotateSecret' | 'removeSecret'>;
}) {
  const [loaded, setLoaded] = useState<DestinationSecret | null>(null);
  const [removing, setRemoving] = useState(false);
  const { pending, error, run } = useAsyncAction();
  const load = (action: (id: string) => Promise<DestinationSecret>) =>
    void run(async () => setLoaded(await action(id)));
  if (!hasSecret && loaded === null) {
    return (
      <div className="grid gap-3">
        <p className="text-sm">
          Deliveries to this destination aren’t signed. Create a secret to add a Standard Webhooks signature.
        </p>
        <InlineError what="We couldn’t create the secret" error={error} />
        <DialogActions>
          <Button variant="primary" loading={pending} onClick={() => load(actions.rotateSecret)}>
            Create secret
          </Button>
        </DialogActions>
      </div>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="flex min-h-10 min-w-0 items-center justify-between gap-2 rounded-md border bg-sunken py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 break-all font-mono text-sm">{loaded?.secret ?? MASK}</code>
        {loaded === null ? (
          <Button size="sm" loading={pending} onClick={() => load(actions.revealSecret)}>
            <Eye aria-hidden="true" />
            Show
          </Button>
        ) : (
          <CopyButton text={loaded.secret} label="Copy the signing secret" />
        )}
      </p>
      {loaded?.previousSecretExpiresAt ? (
        <Callout tone="accent">
          The previous secret stays valid until {formatAbsolute(new Date(loaded.previousSecretExpiresAt))}. Until then,
          every delivery carries both signatures.
        </Callout>
      ) : null}
      <InlineError what="We couldn’t change the secret" error={error} />
      <DialogActions>
        <Button variant="quietDanger" onClick={() => setRemoving(true)}>
          <Trash2 aria-hidden="true" />
          Remove secret
        </Button>
        <Button loading={pending} onClick={() => load(actions.rotateSecret)}>
          <RefreshCw aria-hidden="true" />
          Rotate secret
        </Button>
      </DialogActions>
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title="Remove the signing secret?"
        description="We stop signing deliveries immediately. Receivers that verify our signature will reject them."
        confirmLabel="Remove secret"
        onConfirm={async () => {
          await actions.removeSecret(id);
          setLoaded(null);
        }}
      />
    </div>
  );
}
