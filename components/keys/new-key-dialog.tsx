'use client';

import { type ReactNode, useRef, useState } from 'react';
import { useProjectPath } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/code-block';
import { CodeTabs } from '@/components/ui/code-tabs';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { CreatedApiKey } from '@/lib/keys/schema';
import { curlSample, listCurl } from './samples';

/** Creates the key and shows it. Passes an error on to the form. */
type RevealNewKey = (make: () => Promise<CreatedApiKey>) => Promise<void>;

/**
 * Shows a form, then the new key once. It cannot be closed while the key is being created, since the plaintext would be
 * lost. Closing before the key was copied asks for confirmation.
 */
export function NewKeyDialog({
  open,
  onClose,
  title,
  description,
  note,
  form,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  description: string;
  /** Shown above the new key. */
  note?: ReactNode;
  form: (reveal: RevealNewKey) => ReactNode;
}) {
  const [made, setMade] = useState<CreatedApiKey | null>(null);
  const [asking, setAsking] = useState(false);
  const creating = useRef(false);
  const copied = useRef(false);
  const reveal: RevealNewKey = async (make) => {
    creating.current = true;
    try {
      setMade(await make());
    } finally {
      creating.current = false;
    }
  };
  const close = () => {
    onClose();
    setMade(null);
    copied.current = false;
  };
  const askOrClose = () => {
    if (creating.current) return;
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
        description={made === null ? description : 'Copy it now. We store only its hash, so we can’t show it again.'}
      >
        {made === null ? (
          form(reveal)
        ) : (
          <>
            {note}
            <RevealKey
              plaintext={made.key}
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
        description="You won’t be able to see this key again. Without a copy, you’ll need to create a new one."
        confirmLabel="Close without copying"
        cancelLabel="Go back"
        onConfirm={close}
      />
    </>
  );
}

/** Shows the plaintext of a new key: alone, as a line of .env, and in a request. */
function RevealKey({ plaintext, readOnly, onCopied }: { plaintext: string; readOnly: boolean; onCopied: () => void }) {
  const baseUrl = useBaseUrl();
  const events = useProjectPath('events');
  const request = readOnly ? listCurl(baseUrl, events, plaintext) : curlSample(baseUrl, plaintext);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <CodeBlock label="Key" code={plaintext} wrap onCopied={onCopied} />
      <CodeTabs
        label="Ways to use the key"
        samples={[
          { name: '.env', language: 'shell', code: `EDS_API_KEY=${plaintext}` },
          { name: 'curl', language: 'shell', code: request },
        ]}
        onCopied={onCopied}
      />
    </div>
  );
}
