'use client';

import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '@/components/ui/field';
import { PasswordInput } from '@/components/ui/password-input';
import { useMinPasswordLength } from './min-password-length';

/** A password to set, with the rules that it must follow. */
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
  const minLength = useMinPasswordLength();
  return (
    <Field
      label={label}
      error={error}
      hint={`At least ${minLength} characters, and no common password. A few unrelated words work well.`}
    >
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
