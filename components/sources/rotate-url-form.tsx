'use client';

import { ChoicePills } from '@/components/form/choice-pills';
import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { useNow } from '@/components/ui/clock';
import { describeUrlEnd, URL_GRACE_CHOICES } from './url-grace';

/** Asks how long the old URL of a source keeps working. */
export function RotateUrlForm({ send }: { send: (gracePeriodHours: number) => Promise<unknown> }) {
  const now = useNow(1000);
  const form = useApiForm({ defaultValues: { grace: '24' }, send: ({ grace }) => send(Number(grace)) });
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <p className="text-sm">
        Update the provider with the new URL afterward. Any older URL that still works stops working now.
      </p>
      <ChoicePills
        legend="Grace period for the old URL"
        choices={URL_GRACE_CHOICES}
        control={form.register('grace')}
        hint={describeUrlEnd(Number(form.watch('grace')), now)}
      />
      <DialogSubmit label="Rotate URL" failure="We couldn’t rotate the URL" error={form.error} pending={form.pending} />
    </form>
  );
}
