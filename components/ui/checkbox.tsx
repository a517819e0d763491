'use client';

import { Check } from 'lucide-react';
import { Checkbox as Radix } from 'radix-ui';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from './cn';

/** A tick box with its words; the words are part of the target. */
export function Checkbox({ label, className, ...rest }: ComponentProps<typeof Radix.Root> & { label: ReactNode }) {
  const id = useId();
  return (
    <div className={cn('flex min-h-6 items-start gap-2', className)}>
      <Radix.Root
        id={id}
        {...rest}
        className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded border border-border-strong bg-surface text-on-accent before:absolute before:size-6 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Radix.Indicator>
          <Check aria-hidden="true" className="size-3" strokeWidth={3} />
        </Radix.Indicator>
      </Radix.Root>
      <label htmlFor={id} className="text-sm">
        {label}
      </label>
    </div>
  );
}
