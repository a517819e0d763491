'use client';

import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from './cn';
import { controlStyle } from './input';
import { Tooltip } from './tooltip';

interface SelectOption<Value extends string = string> {
  value: Value;
  label: ReactNode;
  /** A second line in the open list. */
  description?: string;
  /** Why the option is disabled; replaces the second line. */
  disabledReason?: string | undefined;
}

export interface SelectProps<Value extends string> {
  options: readonly SelectOption<Value>[];
  value: Value | undefined;
  onValueChange: (value: Value) => void;
  /** Called when the list opens. */
  onOpen?: () => void;
  placeholder?: string;
  className?: string;
  /** Why the select is disabled. It stays focusable, so that the reason can be read. */
  disabledReason?: string | undefined;
  id?: string;
  'aria-label'?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
}

/** A select. Pass the `id` of a Field, or an `aria-label` without one. */
export function Select<Value extends string>({
  options,
  value,
  onValueChange,
  onOpen,
  placeholder,
  className,
  disabledReason,
  ...aria
}: SelectProps<Value>) {
  const blocked = disabledReason !== undefined;
  const trigger = (
    <Radix.Trigger
      {...aria}
      aria-disabled={blocked || undefined}
      className={cn(
        controlStyle,
        'flex h-9 items-center justify-between gap-2 px-3 text-left aria-disabled:cursor-not-allowed aria-disabled:border-border aria-disabled:bg-sunken aria-disabled:text-muted',
        className,
      )}
    >
      <span className="truncate">
        <Radix.Value placeholder={placeholder} />
      </span>
      <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
    </Radix.Trigger>
  );
  return (
    <Radix.Root
      value={value ?? ''}
      onValueChange={(next) => onValueChange(next as Value)}
      onOpenChange={(isOpen) => {
        if (isOpen) onOpen?.();
      }}
      {...(blocked ? { open: false } : {})}
    >
      {blocked ? <Tooltip content={disabledReason}>{trigger}</Tooltip> : trigger}
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-[calc(100vw-1rem)] animate-enter overflow-hidden rounded-lg bg-surface shadow-floating"
        >
          <Radix.Viewport className="p-1">
            {options.map((option) => (
              <SelectItem key={option.value} {...option} />
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function SelectItem({ value, label, description, disabledReason }: SelectOption) {
  const second = disabledReason ?? description;
  return (
    <Radix.Item
      value={value}
      disabled={disabledReason !== undefined}
      className="relative grid cursor-default select-none gap-0.5 rounded-md py-1.5 pr-3 pl-8 text-sm outline-none data-disabled:text-muted data-highlighted:bg-sunken"
    >
      <Radix.ItemIndicator className="absolute top-2 left-2">
        <Check aria-hidden="true" className="size-4" />
      </Radix.ItemIndicator>
      <Radix.ItemText>{label}</Radix.ItemText>
      {second ? <span className="max-w-72 text-muted text-xs">{second}</span> : null}
    </Radix.Item>
  );
}
