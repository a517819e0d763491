'use client';

import { useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import type { KeyScope, NewApiKey } from '@/lib/keys/schema';
import { CreateKeyForm } from './create-key-form';
import { RevealKey } from './reveal-key';

/** Creates a key and reveals it once. Closing before anything was copied asks first. */
export function CreateKeyDialog({
  projectId,
  open,
  onOpenChange,
  create,
}: {
  projectId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  create: (body: { name: string; scope: KeyScope; expiresAt?: string }) => Promise<NewApiKey>;
}) {
  const [made, setMade] = useState<NewApiKey | null>(null);
  const [asking, setAsking] = useState(false);
  const copied = useRef(false);
  const close = () => {
    onOpenChange(false);
    setMade(null);
    copied.current = false;
  };
  const change = (next: boolean) => {
    if (next) return;
    if (made !== null && !copied.current) setAsking(true);
    else close();
  };
  return (
    <>
      <Dialog
        open={open}
        onOpenChange={change}
        size={made === null ? 'md' : 'lg'}
        title={made === null ? 'New API key' : `Key “${made.name}”`}
        description={made === null ? 'Servers send events with it.' : 'This is the only time it is shown.'}
      >
        {made === null ? (
          <CreateKeyForm create={create} onCreated={setMade} />
        ) : (
          <>
            <RevealKey
              plaintext={made.key}
              projectId={projectId}
              readOnly={made.scope === 'READ_ONLY'}
              onCopied={() => {
                copied.current = true;
              }}
            />
            <DialogActions>
              <Button variant="primary" onClick={() => change(false)}>
                Done
              </Button>
            </DialogActions>
          </>
        )}
      </Dialog>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Close without copying the key?"
        description="It will not be shown again. If it is not kept anywhere, a new key has to be made."
        confirmLabel="Close without copying"
        cancelLabel="Back to the key"
        onConfirm={close}
      />
    </>
  );
}
