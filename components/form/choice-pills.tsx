'use client';

import { type ReactNode, useId } from 'react';
import type { FieldControl } from './use-api-form';

/** A few choices in a row: native radio buttons, so that arrow keys choose. */
export function ChoicePills({
  legend,
  choices,
  control,
  hint,
}: {
  legend: string;
  choices: readonly { value: string; label: string }[];
  control: FieldControl;
  /** What the choice means; announced when it changes. */
  hint: ReactNode;
}) {
  const id = useId();
  return (
    <fieldset aria-describedby={id} className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">{legend}</legend>
      <div className="flex flex-wrap gap-1.5">
        {choices.map(({ value, label }) => (
          <label
            key={value}
            className="inline-flex h-8 cursor-pointer select-none items-center rounded-md border border-border-strong px-3 font-medium text-sm hover:bg-sunken has-checked:border-accent has-checked:bg-accent-subtle has-checked:text-accent-text has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
          >
            <input {...control} type="radio" value={value} checked={control.value === value} className="sr-only" />
            {label}
          </label>
        ))}
      </div>
      <p id={id} aria-live="polite" className="text-muted text-sm">
        {hint}
      </p>
    </fieldset>
  );
}
