'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { InlineError } from '@/components/ui/inline-error';
import { FocusedNotice } from './focused-notice';

/** The one button of a page that confirms something, and above it why that failed. */
export function ConfirmButton({
  label,
  what,
  onConfirm,
}: {
  label: string;
  /** What failed, as InlineError says it. */
  what: string;
  onConfirm: () => Promise<void>;
}) {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const confirm = async () => {
    setPending(true);
    setError(undefined);
    try {
      await onConfirm();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      {error === undefined ? null : (
        <FocusedNotice>
          <InlineError what={what} error={error} />
        </FocusedNotice>
      )}
      <Button variant="primary" size="lg" loading={pending} onClick={() => void confirm()}>
        {label}
      </Button>
    </>
  );
}
