'use client';

import type { ReactNode } from 'react';
import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import type { Destination } from '@/lib/incoming/schema';

const ALL = 'all';

/** Asks where to replay to: one destination, or each that is enabled. */
export function ReplayTargetForm({
  text,
  destinations,
  submitLabel,
  send,
}: {
  /** What is replayed. */
  text: ReactNode;
  destinations: Destination[];
  submitLabel: string;
  send: (destinationId: string | undefined) => Promise<unknown>;
}) {
  const form = useApiForm({
    defaultValues: { destinationId: ALL },
    send: ({ destinationId }) => send(destinationId === ALL ? undefined : destinationId),
  });
  const enabled = destinations.filter((destination) => destination.enabled);
  return (
    <form noValidate onSubmit={form.submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="text-sm">{text}</div>
      <Field label="Destination" error={form.fieldError('destinationId')}>
        {(control) => (
          <Select
            {...control}
            value={form.watch('destinationId')}
            onValueChange={(value) => form.setValue('destinationId', value)}
            options={[
              { value: ALL, label: `All enabled destinations (${enabled.length})` },
              ...destinations.map(({ id, url, enabled: isEnabled }) => ({
                value: id,
                label: url,
                disabledReason: isEnabled ? undefined : 'Disabled',
              })),
            ]}
          />
        )}
      </Field>
      <DialogSubmit
        label={submitLabel}
        failure="We couldn’t start the replay"
        error={form.error}
        pending={form.pending}
      />
    </form>
  );
}
