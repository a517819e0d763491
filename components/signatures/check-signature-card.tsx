'use client';

import dynamic from 'next/dynamic';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import type { CheckSignatureForm as Form } from './check-signature-form';

const CheckSignatureForm = dynamic(() => import('./check-signature-form').then((part) => part.CheckSignatureForm));

/** Checks a request as a receiver got it, and says why its signature does not verify. */
export function CheckSignatureCard({
  description,
  disabledReason,
  ...form
}: { description: ReactNode; disabledReason: string | undefined } & ComponentProps<typeof Form>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title="Check a signature"
      {...(isOpen ? { description } : {})}
      actions={
        <Button size="sm" aria-expanded={isOpen} disabledReason={disabledReason} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide form' : 'Paste a request'}
        </Button>
      }
    >
      {isOpen ? <CheckSignatureForm {...form} /> : <p className="text-muted text-sm">{description}</p>}
    </Card>
  );
}
