'use client';

import { InlineError } from '@/components/ui/inline-error';
import { FocusedNotice } from './focused-notice';

/** An error that takes the focus when it appears. Renders nothing without an error. */
export function FocusedError({ what, error }: { what: string; error: unknown }) {
  if (error === undefined) return null;
  return (
    <FocusedNotice>
      <InlineError what={what} error={error} />
    </FocusedNotice>
  );
}
