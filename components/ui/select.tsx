'use client';

import { Check, ChevronDown } from 'lucide-react';
import * as Radix from 'radix-ui/select';
import { type ReactNode, useState } from 'react';
import { cn } from './cn';
import { controlStyle } from './input';
import { Tooltip } from './tooltip';

export interface SelectOption<Value extends string = string> {
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
  placeholder?: string;
  className?: string;
  /** Why the select is disabled. It stays focusable, so that the reason can be read. */
  disabledReason?: string | undefined;
  id?: string;
  'aria-label'?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
}

/** The list itself scrolls: it has the role that says that the arrow keys scroll it. */
const SCROLLED_BY_LIST = { overflow: 'visible' };

/** A select. Pass the `id` of a Field, or an `aria-label` without one. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, value, onValueChange, placeholder, className, disabledReason, ...aria } = props;
  const [isOpen, setOpen] = useState(false);
  const isBlocked = disabledReason !== undefined;
  const chosen = options.find((option) => option.value === value);
  const change = (open: boolean) => {
    if (!isBlocked) setOpen(open);
  };
  const choose = (next: string) => {
    // In a form, Radix reports an empty value when options are removed.
    const option = options.find((each) => each.value === next);
    if (option !== undefined) onValueChange(option.value);
  };
  return (
    <Radix.Root value={value ?? ''} onValueChange={choose} open={isOpen} onOpenChange={change}>
      <Tooltip content={disabledReason}>
        <Radix.Trigger
          {...aria}
          aria-haspopup="listbox"
          aria-disabled={isBlocked || undefined}
          onKeyDown={(event) => {
            const isModified = event.ctrlKey || event.metaKey || event.altKey;
            if (event.key.length === 1 && event.key !== ' ' && !isModified) change(true);
          }}
          className={cn(
            controlStyle,
            'flex h-9 items-center justify-between gap-2 px-3 text-left aria-disabled:cursor-not-allowed aria-disabled:border-border aria-disabled:bg-sunken aria-disabled:text-muted',
            className,
          )}
        >
          <span className={cn('truncate', chosen === undefined && 'text-muted')}>
            <Radix.Value placeholder={placeholder}>{chosen?.label ?? placeholder}</Radix.Value>
          </span>
          <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
        </Radix.Trigger>
      </Tooltip>
      {/* Only while it is open: there may be hundreds of options, and typing on a closed select must not choose one. */}
      {isOpen ? (
        <Radix.Portal>
          <div>
            {/* The rest of the page is out of reach meanwhile, for pointers as for screen readers. A click closes the list. */}
            <div className="pointer-events-auto fixed inset-0 z-50" />
            <Radix.Content
              position="popper"
              aria-label={aria['aria-label'] ?? 'Options'}
              align="start"
              sideOffset={4}
              collisionPadding={8}
              className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-[min(100vw-1rem,36rem)] animate-enter overflow-y-auto rounded-lg bg-surface shadow-floating"
            >
              <Radix.Viewport className="p-1" style={SCROLLED_BY_LIST}>
                {options.map((option) => (
                  <Option key={option.value} {...option} />
                ))}
              </Radix.Viewport>
            </Radix.Content>
          </div>
        </Radix.Portal>
      ) : null}
    </Radix.Root>
  );
}

function Option({ value, label, description, disabledReason }: SelectOption) {
  const second = disabledReason ?? description;
  return (
    <Radix.Item
      value={value}
      textValue={typeof label === 'string' ? label : value}
      disabled={disabledReason !== undefined}
      className="relative cursor-default select-none rounded-md py-1.5 pr-3 pl-8 text-sm outline-none data-disabled:text-muted data-highlighted:bg-sunken"
    >
      <Radix.ItemIndicator className="absolute top-2 left-2">
        <Check aria-hidden="true" className="size-4" />
      </Radix.ItemIndicator>
      <Radix.ItemText>
        <span className="grid gap-0.5">
          <span className="wrap-anywhere line-clamp-3">{label}</span>
          {second ? <span className="max-w-72 text-muted text-xs">{second}</span> : null}
        </span>
      </Radix.ItemText>
    </Radix.Item>
  );
}
