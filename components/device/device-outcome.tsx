'use client';

import { CircleCheck, CircleSlash } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';

/** Says whether the device was approved. */
export function DeviceOutcome({
  approved,
  clientName,
  onAnother,
}: {
  approved: boolean;
  clientName: string | null;
  onAnother: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const Icon = approved ? CircleCheck : CircleSlash;
  const client = clientName ?? 'The device';
  return (
    <div className="flex flex-col items-center text-center">
      <Icon aria-hidden="true" className={approved ? 'size-10 text-success-text' : 'size-10 text-muted'} />
      <h1 ref={heading} tabIndex={-1} className="mt-4 font-semibold text-2xl tracking-tight outline-none">
        {approved ? 'Approved' : 'Denied'}
      </h1>
      <p className="mt-1 max-w-sm text-balance break-words text-muted text-sm">
        {approved
          ? `${client} is signing in. You can close this page and return to your device.`
          : `${client} didn’t get access. You can close this page.`}
      </p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">
        {approved ? (
          <Button asChild size="lg">
            <Link href="/account/sessions">View sessions</Link>
          </Button>
        ) : null}
        <Button size="lg" variant="ghost" onClick={onAnother}>
          Enter another code
        </Button>
      </div>
    </div>
  );
}
