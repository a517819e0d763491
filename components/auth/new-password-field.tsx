'use client';

import type { FieldControl } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { PasswordInput } from '@/components/ui/input';
import { useMinPasswordLength } from './min-password-length';

/** A password to set, with the rules that it must follow. */
export function NewPasswordField({
  label,
  control: registration,
  error,
  className,
}: {
  label: string;
  control: FieldControl;
  error: string | undefined;
  className?: string;
}) {
  const minLength = useMinPasswordLength();
  return (
    <Field
      label={label}
      error={error}
      hint={`At least ${minLength} characters, and not a common password. A few unrelated words work well.`}
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
