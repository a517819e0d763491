'use client';

import { useId } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { GRACE_CHOICES } from './grace';

/** How long the old key stays valid: native radio buttons, so that arrow keys choose. */
export function GraceField({ control, stops }: { control: UseFormRegisterReturn; stops: string }) {
  const id = useId();
  return (
    <fieldset aria-describedby={id} className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">Grace period of the old key</legend>
      <div className="flex flex-wrap gap-1.5">
        {GRACE_CHOICES.map(({ value, label }) => (
          <label
            key={value}
            className="inline-flex h-8 cursor-pointer select-none items-center rounded-md border border-border-strong px-3 font-medium text-sm hover:bg-sunken has-checked:border-accent has-checked:bg-accent-subtle has-checked:text-accent-text has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
          >
            <input {...control} type="radio" value={value} className="sr-only" />
            {label}
          </label>
        ))}
      </div>
      <p id={id} aria-live="polite" className="text-muted text-sm">
        {stops}
      </p>
    </fieldset>
  );
}
