'use client';

import { type ReactNode, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import type { NewApiKey } from '@/lib/keys/schema';
import { RevealKey } from './reveal-key';

/** Makes the key and reveals it; throws a refused request to the form. */
export type RevealNewKey = (make: () => Promise<NewApiKey>) => Promise<void>;

/**
 * Asks for what a new key needs, then reveals it once. It cannot be closed while the key is being made, or the plaintext
 * would be lost; closing before anything was copied asks first.
 */
export function NewKeyDialog({
  projectId,
  open,
  onClose,
  title,
  description,
  note,
  form,
}: {
  projectId: string;
  open: boolean;
  onClose: () => void;
  title: string;
  description: string;
  /** Stands above the new key once it is there. */
  note?: ReactNode;
  form: (reveal: RevealNewKey) => ReactNode;
}) {
  const [made, setMade] = useState<NewApiKey | null>(null);
  const [asking, setAsking] = useState(false);
  const making = useRef(false);
  const copied = useRef(false);
  const reveal: RevealNewKey = async (make) => {
    making.current = true;
    try {
      setMade(await make());
    } finally {
      making.current = false;
    }
  };
  const close = () => {
    onClose();
    setMade(null);
    copied.current = false;
  };
  const askOrClose = () => {
    if (making.current) return;
    if (made !== null && !copied.current) setAsking(true);
    else close();
  };
  return (
    <>
      <Dialog
        open={open}
        onOpenChange={(next) => {
          if (!next) askOrClose();
        }}
        size={made === null ? 'md' : 'lg'}
        title={made === null ? title : `Key “${made.name}”`}
        description={made === null ? description : 'This is the only time it is shown.'}
      >
        {made === null ? (
          form(reveal)
        ) : (
          <>
            {note}
            <RevealKey
              plaintext={made.key}
              projectId={projectId}
              readOnly={made.scope === 'READ_ONLY'}
              onCopied={() => {
                copied.current = true;
              }}
            />
            <DialogActions>
              <Button variant="primary" onClick={askOrClose}>
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
