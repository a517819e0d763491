'use client';

import { Select, type SelectProps } from '@/components/ui/select';

/** The value of the option that filters nothing. */
export const ANY = 'any';

/** A filter that is one of its options. One of them is `ANY`. */
export function SelectFilter({
  label,
  width,
  options,
  value,
  onChange,
}: {
  label: string;
  /** The class of its width; on narrow screens it fills the row. */
  width: string;
  options: SelectProps<string>['options'];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  return (
    <Select
      aria-label={label}
      className={`${width} max-sm:w-full`}
      options={options}
      value={value ?? ANY}
      onValueChange={(chosen) => onChange(chosen === ANY ? undefined : chosen)}
    />
  );
}
