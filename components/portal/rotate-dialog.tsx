'use client';

import { useId, useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { InlineError } from '@/components/ui/inline-error';
import type { EndpointSecret } from '@/lib/delivery/schema';
import { Actions, PortalDialog } from './portal-dialog';
import { usePortal } from './use-portal';

const CHOICES = [
  { hours: 24, label: 'For one more day', hint: 'Each request has both signatures until then.' },
  { hours: 168, label: 'For one more week', hint: 'Each request has both signatures until then.' },
  { hours: 0, label: 'Not at all', hint: 'If somebody else knows it. Requests fail until your code has the new one.' },
];

/** Replaces a secret, and asks how long the old one works. */
export function RotateDialog({
  endpointId,
  onClose,
  onRotated,
}: {
  endpointId: string;
  onClose: () => void;
  onRotated: (secret: EndpointSecret) => void;
}) {
  const { fetch } = usePortal();
  const name = useId();
  const [chosen, setChosen] = useState(24);
  const { pending, error, run } = useAsyncAction();
  const rotate = () =>
    run(async () => {
      const body = { gracePeriodHours: chosen };
      onRotated(await fetch<EndpointSecret>(`/endpoints/${endpointId}/rotate-secret`, { method: 'POST', body }));
    });
  return (
    <PortalDialog title="Replace the secret?" onClose={onClose}>
      <p className="mt-2 text-muted text-sm">You get a new one, for your code to verify requests with.</p>
      <fieldset className="mt-4 grid gap-3">
        <legend className="mb-2 font-medium text-sm">How long does the old one work?</legend>
        {CHOICES.map(({ hours, label, hint }) => (
          <label key={hours} className="flex cursor-pointer items-start gap-3 text-sm">
            <input
              type="radio"
              name={name}
              checked={hours === chosen}
              onChange={() => setChosen(hours)}
              className="mt-0.75 size-4 shrink-0 accent-accent"
            />
            <span className="grid">
              <span className="font-medium">{label}</span>
              <span className="text-muted">{hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <InlineError what="We couldn’t replace the secret" error={error} className="mt-4" />
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" loading={pending} onClick={() => void rotate()}>
          Replace secret
        </Button>
      </Actions>
    </PortalDialog>
  );
}
