'use client';

import type { FieldControl } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

/** The last day of a key; an empty field means that it never expires. */
export function ExpiryField({
  label,
  control,
  error,
}: {
  label: string;
  control: FieldControl;
  error: string | undefined;
}) {
  return (
    <Field
      label={label}
      optional
      error={error}
      hint="The key expires at 23:59:59 UTC on this date. Leave blank for no expiration."
    >
      {(described) => (
        <Input
          {...described}
          {...control}
          type="date"
          min={new Date().toISOString().slice(0, 10)}
          max="9999-12-31"
          className="w-48"
        />
      )}
    </Field>
  );
}
