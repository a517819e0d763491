'use client';

import type { FieldControl } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

/** The email address of an auth form. `autoComplete` tells a password manager whether the account exists. */
export function EmailField({
  control: registration,
  error,
  autoComplete,
}: {
  control: FieldControl;
  error: string | undefined;
  autoComplete: 'username' | 'email';
}) {
  return (
    <Field label="Email" error={error}>
      {(control) => <Input {...control} {...registration} type="email" autoComplete={autoComplete} className="h-10" />}
    </Field>
  );
}
