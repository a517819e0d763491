'use client';

import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

/** React Hook Form's rules for the name of a project. */
export const PROJECT_NAME_RULES = { required: 'Give the project a name.' };

/** The name of a new project. */
export function ProjectNameField({
  control: registration,
  error,
  hint,
}: {
  control: UseFormRegisterReturn;
  error: string | undefined;
  hint?: string;
}) {
  return (
    <Field label="Name" error={error} hint={hint}>
      {(control) => <Input {...control} {...registration} autoComplete="off" placeholder="Web shop" />}
    </Field>
  );
}
