'use client';

import { Field } from '@/components/ui/field';
import { Select, type SelectProps } from '@/components/ui/select';
import type { FormField } from './form-fields';
import type { FieldName } from './use-api-form';

/** A field of a form whose value is one of its options. */
export function SelectField<Values extends object, Name extends FieldName<Values>>({
  form,
  name,
  options,
  ...field
}: FormField<Values, Name> & Pick<SelectProps<Values[Name] & string>, 'options'>) {
  return (
    <Field {...field} error={form.fieldError(name)}>
      {(control) => (
        <Select
          {...control}
          options={options}
          value={form.watch(name) as Values[Name] & string}
          onValueChange={(value) => form.setValue(name, value)}
        />
      )}
    </Field>
  );
}
