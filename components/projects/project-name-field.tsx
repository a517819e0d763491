'use client';

import type { FieldControl } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

/** Requires a name. The API checks the rest. */
export const PROJECT_NAME_RULES = { required: 'Give the project a name.' };

/** The name of a new project. */
export function ProjectNameField({
  control: registration,
  error,
  hint,
}: {
  control: FieldControl;
  error: string | undefined;
  hint?: string;
}) {
  return (
    <Field label="Name" error={error} hint={hint}>
      {(control) => <Input {...control} {...registration} autoComplete="off" placeholder="Web shop" />}
    </Field>
  );
}
