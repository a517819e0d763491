'use client';

import type { Field as FieldRow } from '@/components/docs/api/schema/field';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';

/** Stands for "no value" in a select, whose options cannot be empty. */
const UNSET = 'unset';

/** One parameter of the form. Values of an enumeration are chosen, others are typed. */
export function TryParameter({
  field,
  value,
  isMissing,
  onChange,
}: {
  field: FieldRow;
  value: string;
  isMissing: boolean;
  onChange: (value: string) => void;
}) {
  const { name, isRequired, type, default: preset } = field;
  const values = type === 'boolean' ? ['true', 'false'] : field.values;
  return (
    <Field
      label={<code className="font-mono text-xs">{name}</code>}
      optional={!isRequired}
      error={isMissing ? 'This is part of the path, so it needs a value.' : undefined}
    >
      {(control) =>
        values.length > 0 ? (
          <Select
            {...control}
            value={value === '' ? UNSET : value}
            onValueChange={(next) => onChange(next === UNSET ? '' : next)}
            options={[{ value: UNSET, label: 'Any' }, ...values.map((each) => ({ value: each, label: each }))]}
          />
        ) : (
          <Input
            {...control}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            placeholder={preset ?? type}
            autoComplete="off"
            spellCheck={false}
            className="h-8 font-mono text-xs"
          />
        )
      }
    </Field>
  );
}
