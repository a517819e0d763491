import type { ReactNode } from 'react';
import { DialogForm } from '@/components/form/form-fields';
import { SelectField } from '@/components/form/select-field';
import { useApiForm } from '@/components/form/use-api-form';
import type { Destination } from '@/lib/incoming/schema';

const ALL = 'all';

/** Asks where to replay to: one destination, or each that is enabled. */
export function ReplayTargetForm({
  text,
  destinations,
  label,
  send,
}: {
  /** What is replayed. */
  text: ReactNode;
  destinations: Destination[];
  label: string;
  send: (destinationId: string | undefined) => Promise<unknown>;
}) {
  const form = useApiForm({
    defaultValues: { destinationId: ALL },
    send: ({ destinationId }) => send(destinationId === ALL ? undefined : destinationId),
  });
  const enabled = destinations.filter((destination) => destination.enabled);
  return (
    <DialogForm form={form} label={label} failure="We couldn’t start the replay">
      <div className="text-sm">{text}</div>
      <SelectField
        form={form}
        name="destinationId"
        label="Destination"
        options={[
          { value: ALL, label: `All enabled destinations (${enabled.length})` },
          ...destinations.map(({ id, url, enabled: isEnabled }) => ({
            value: id,
            label: url,
            disabledReason: isEnabled ? undefined : 'Disabled',
          })),
        ]}
      />
    </DialogForm>
  );
}
