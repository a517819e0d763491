'use client';

import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

/** The last day of a key; an empty field means that it never expires. */
export function ExpiryField({
  label,
  control,
  error,
}: {
  label: string;
  control: UseFormRegisterReturn;
  error: string | undefined;
}) {
  return (
    <Field
      label={label}
      optional
      error={error}
      hint="The key is valid until 23:59:59 UTC on this day. Without a day it is valid until revoked."
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
