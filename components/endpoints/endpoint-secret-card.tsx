'use client';

import { Eye, EyeOff, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { CopyButton } from '@/components/ui/copy-button';
import { formatAbsolute } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import type { EndpointSecret } from '@/lib/delivery/schema';

const MASK = 'whsec_••••••••••••••••••••••••••••';

/** The signing secret, masked until it is shown. After a rotation the previous secret stays valid for a day. */
export function EndpointSecretCard({
  actions,
  disabledReason,
}: {
  actions: { revealSecret: () => Promise<EndpointSecret>; rotateSecret: () => Promise<EndpointSecret> };
  disabledReason: string | undefined;
}) {
  const [secret, setSecret] = useState<EndpointSecret | null>(null);
  const [shown, setShown] = useState(false);
  const { pending, error, run } = useAsyncAction();
  const [asking, setAsking] = useState(false);
  const reveal = async () => {
    if (shown) return setShown(false);
    await run(async () => {
      setSecret(await actions.revealSecret());
      setShown(true);
    });
  };
  const rotate = async () => {
    setSecret(await actions.rotateSecret());
    setShown(true);
  };
  const Icon = shown ? EyeOff : Eye;
  return (
    <Card
      title="Signing secret"
      description="Your receiver uses it to verify signatures. Viewing or rotating it is recorded in the audit log."
      actions={
        <>
          <Button size="sm" loading={pending} disabledReason={disabledReason} onClick={() => void reveal()}>
            <Icon aria-hidden="true" />
            {shown ? 'Hide' : 'Show'}
          </Button>
          <Button size="sm" disabledReason={disabledReason} onClick={() => setAsking(true)}>
            <RefreshCw aria-hidden="true" />
            Rotate
          </Button>
        </>
      }
    >
      <p className="flex min-w-0 items-center gap-1">
        <code className="min-w-0 break-all font-mono text-sm">{shown && secret ? secret.secret : MASK}</code>
        {shown && secret ? <CopyButton text={secret.secret} label="Copy the signing secret" /> : null}
      </p>
      {secret?.previousSecretExpiresAt ? (
        <Callout tone="accent" className="mt-3">
          The previous secret stays valid until {formatAbsolute(new Date(secret.previousSecretExpiresAt))}. Until then,
          every delivery carries both signatures.
        </Callout>
      ) : null}
      <InlineError what="We couldn’t show the secret" error={error} className="mt-3" />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        tone="primary"
        title="Rotate the signing secret?"
        description="The current secret stays valid for 24 hours. During that time, every delivery carries both signatures, so you can update your receiver without losing events."
        confirmLabel="Rotate secret"
        onConfirm={rotate}
      />
    </Card>
  );
}
