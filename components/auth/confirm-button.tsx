'use client';

import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { FocusedError } from './focused-error';

/** The only button of a page that confirms something, below the error of the last attempt. */
export function ConfirmButton({
  label,
  errorTitle,
  onConfirm,
}: {
  label: string;
  /** What failed: "We couldn’t confirm your email address". */
  errorTitle: string;
  onConfirm: () => Promise<void>;
}) {
  const { pending, error, run } = useAsyncAction();
  return (
    <>
      <FocusedError what={errorTitle} error={error} />
      <Button variant="primary" size="lg" loading={pending} onClick={() => void run(onConfirm)}>
        {label}
      </Button>
    </>
  );
}
