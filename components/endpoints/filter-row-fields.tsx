'use client';

import { X } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Select, type SelectOption } from '@/components/ui/select';
import { type FilterRow, OPERATOR_WORDS, type RowOperator, takesValue } from '@/lib/delivery/filters/filter-policy';

const OPERATORS = Object.entries(OPERATOR_WORDS).map(([value, label]) => ({
  value,
  label,
})) as SelectOption<RowOperator>[];
const PLACEHOLDERS: Partial<Record<RowOperator, string>> = {
  in: 'DE, AT',
  nin: 'DE, AT',
  gt: '1000',
  gte: '1000',
  lt: '1000',
  lte: '1000',
  startsWith: 'order.',
};

/** One condition of a filter: its path, operator and value. */
export function FilterRowFields({
  number,
  row: { path, op, value },
  pathsId,
  isFaulty,
  onChange,
  onRemove,
}: {
  /** Its place, from 1 on. */
  number: number;
  row: FilterRow;
  /** The list of paths to choose from. */
  pathsId: string;
  isFaulty: boolean;
  onChange: (change: Partial<FilterRow>) => void;
  onRemove: () => void;
}) {
  const code = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false, className: 'font-mono' };
  return (
    <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)_minmax(0,1fr)_2.25rem] gap-2 max-sm:rounded-lg max-sm:border max-sm:p-2.5 sm:grid-cols-[minmax(0,6fr)_minmax(0,4fr)_minmax(0,5fr)_2.25rem]">
      <legend className="sr-only">Condition {number}</legend>
      <Input
        {...code}
        aria-label={`Path ${number}`}
        aria-invalid={isFaulty || undefined}
        className="font-mono max-sm:col-span-2"
        placeholder="data.amount"
        // The first one when the form is shown, and one that is added.
        autoFocus={number === 1 || path === ''}
        list={pathsId}
        value={path}
        onChange={({ target }) => onChange({ path: target.value })}
      />
      <Select
        aria-label={`Operator ${number}`}
        className="max-sm:col-start-1 max-sm:row-start-2"
        options={OPERATORS}
        value={op}
        onValueChange={(chosen) => onChange({ op: chosen })}
      />
      {takesValue(op) ? (
        <Input
          {...code}
          aria-label={`Value ${number}`}
          aria-invalid={isFaulty || undefined}
          className="font-mono max-sm:col-span-2 max-sm:col-start-2 max-sm:row-start-2"
          placeholder={PLACEHOLDERS[op] ?? 'value'}
          value={value}
          onChange={({ target }) => onChange({ value: target.value })}
        />
      ) : (
        <span className="max-sm:hidden" />
      )}
      <Button
        variant="ghost"
        className="size-9 px-0 max-sm:col-start-3 max-sm:row-start-1"
        aria-label={`Remove condition ${number}`}
        onClick={onRemove}
      >
        <X aria-hidden="true" />
      </Button>
    </fieldset>
  );
}
