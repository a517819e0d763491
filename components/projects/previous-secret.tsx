'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { formatAbsolute } from '@/components/ui/format-time';
import { toast } from '@/components/ui/toast';

interface PreviousSecretProps {
  /** Null without one that is valid: then it renders nothing. */
  expiresAt: string | null | undefined;
  /** What happens until then, and what no longer happens once it has ended. */
  effect: { until: string; afterward: string };
  end: () => Promise<unknown>;
  disabledReason: string | undefined;
}

/** Says until when the secret before a rotation is valid, and ends it now. */
export function PreviousSecret({ expiresAt, effect, end, disabledReason }: PreviousSecretProps) {
  const [asking, setAsking] = useState(false);
  if (!expiresAt) return null;
  const endNow = async () => {
    await end();
    toast.success('Previous secret ended.');
  };
  return (
    <Callout tone="accent" className="mt-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-64">
          The previous secret is valid until {formatAbsolute(new Date(expiresAt))}. {effect.until}
        </p>
        <Button size="sm" disabledReason={disabledReason} onClick={() => setAsking(true)}>
          End it now
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="End the previous secret now?"
        description={effect.afterward}
        confirmLabel="End it now"
        onConfirm={endNow}
      />
    </Callout>
  );
}

/** For secrets that sign what is sent. */
export const SIGNING_EFFECT = {
  until: 'Until then, every delivery carries both signatures.',
  afterward: 'Receivers that still verify with it will reject deliveries. This cannot be undone.',
};

/** For secrets that verify what is received. */
export const VERIFYING_EFFECT = {
  until: 'Until then, we accept signatures of both.',
  afterward: 'We reject requests that are still signed with it. This cannot be undone.',
};
