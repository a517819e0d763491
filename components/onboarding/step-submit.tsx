'use client';

import { Button } from '@/components/ui/button';

/** The button that completes a step of the setup guide. */
export function StepSubmit({
  label,
  pending,
  disabledReason,
}: {
  label: string;
  pending: boolean;
  disabledReason: string | undefined;
}) {
  return (
    <Button
      type="submit"
      variant="primary"
      className="justify-self-start"
      loading={pending}
      disabledReason={disabledReason}
    >
      {label}
    </Button>
  );
}
