'use client';

import * as Radix from 'radix-ui/switch';
import type { ComponentProps } from 'react';
import { cn } from './cn';
import { Tooltip } from './tooltip';

export interface SwitchProps extends Omit<ComponentProps<typeof Radix.Root>, 'disabled'> {
  /** Why the switch is disabled. It stays focusable, so that the reason can be read. */
  disabledReason?: string | undefined;
}

/** A switch that takes effect immediately. Pass the `id` of a Field, or an `aria-label`. */
export function Switch({ className, disabledReason, onCheckedChange, ...rest }: SwitchProps) {
  const blocked = disabledReason !== undefined;
  const control = (
    <Radix.Root
      {...rest}
      aria-disabled={blocked || undefined}
      onCheckedChange={(checked) => {
        if (!blocked) onCheckedChange?.(checked);
      }}
      className={cn(
        // The tooltip sets `data-state`.
        'relative inline-flex h-6 w-10 shrink-0 items-center rounded-full border border-border-strong bg-sunken transition-colors aria-checked:border-accent aria-checked:bg-accent aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
        className,
      )}
    >
      <Radix.Thumb className="block size-4 translate-x-1 rounded-full bg-border-strong transition-transform data-[state=checked]:translate-x-[1.125rem] data-[state=checked]:bg-white" />
    </Radix.Root>
  );
  return <Tooltip content={disabledReason}>{control}</Tooltip>;
}
