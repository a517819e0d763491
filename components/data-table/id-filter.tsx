'use client';

import { TextFilter } from './text-filter';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns what is wrong with the text of a filter by id; undefined when nothing is. */
export function idFault(typed: string): string | undefined {
  return UUID.test(typed) ? undefined : 'Enter a complete ID, such as the one that a row copies.';
}

/** A filter by the id of a row. */
export function IdFilter({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  return (
    <TextFilter
      label={label}
      placeholder={label}
      value={value}
      onChange={onChange}
      faultOf={idFault}
      width="sm:w-44"
      isSearch={false}
    />
  );
}
