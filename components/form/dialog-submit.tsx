'use client';

import { Button } from '@/components/ui/button';
import { DialogActions } from '@/components/ui/dialog';
import { InlineError } from '@/components/ui/inline-error';

/** The end of a form in a dialog: the error of the last attempt, and the button that sends the form. */
export function DialogSubmit({
  label,
  failure,
  error,
  pending,
  disabledReason,
}: {
  label: string;
  /** What failed: "We couldn’t create the key". */
  failure: string;
  /** An error that belongs to no field. */
  error: unknown;
  pending: boolean;
  disabledReason?: string | undefined;
}) {
  return (
    <>
      <InlineError what={failure} error={error} />
      <DialogActions>
        <Button type="submit" variant="primary" loading={pending} disabledReason={disabledReason}>
          {label}
        </Button>
      </DialogActions>
    </>
  );
}
