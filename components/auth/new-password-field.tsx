'use client';

import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '@/components/ui/field';
import { PasswordInput } from '@/components/ui/password-input';

/** A password to set, with advice on how to choose one. */
export function NewPasswordField({
  label,
  control: registration,
  error,
  className,
}: {
  label: string;
  control: UseFormRegisterReturn;
  error: string | undefined;
  className?: string;
}) {
  return (
    <Field label={label} error={error} hint="Length beats complexity: use a few unrelated words.">
      {(control) => (
        <PasswordInput
          {...control}
          {...registration}
          autoComplete="new-password"
          {...(className ? { className } : {})}
        />
      )}
    </Field>
  );
}
