'use client';

import { Check, ChevronDown } from 'lucide-react';
import { Popover as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cn } from './cn';
import { controlStyle } from './input';
import { Tooltip } from './tooltip';
import { useSelectKeys } from './use-select-keys';

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

/** A select. Pass the `id` of a Field, or an `aria-label` without one. Not modal, so that no control of the page is hidden. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, value, onValueChange, onOpen, placeholder, className, disabledReason, ...aria } = props;
  const listId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const isBlocked = disabledReason !== undefined;
  const chosen = options.findIndex((option) => option.value === value);
  const change = (open: boolean) => {
    if (isBlocked) return;
    setIsOpen(open);
    if (!open) return;
    setActive(chosen);
    onOpen?.();
  };
  const choose = (index: number) => {
    const option = options[index];
    if (option?.disabledReason !== undefined) return;
    change(false);
    if (option !== undefined && option.value !== value) onValueChange(option.value);
  };
  const onKeyDown = useSelectKeys({
    options: options.map(({ label, value: of, disabledReason: reason }) => ({
      disabled: reason !== undefined,
      text: typeof label === 'string' ? label : of,
    })),
    isOpen,
    active,
    open: () => change(true),
    close: () => change(false),
    activate: setActive,
    choose,
  });
  const trigger = (
    <Radix.Trigger
      {...aria}
      role="combobox"
      aria-haspopup="listbox"
      aria-controls={isOpen ? listId : undefined}
      aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
      aria-disabled={isBlocked || undefined}
      onKeyDown={onKeyDown}
      className={cn(
        controlStyle,
        'flex h-9 items-center justify-between gap-2 px-3 text-left aria-disabled:cursor-not-allowed aria-disabled:border-border aria-disabled:bg-sunken aria-disabled:text-muted',
        className,
      )}
    >
      <span className={cn('truncate', chosen < 0 && 'text-muted')}>{options[chosen]?.label ?? placeholder}</span>
      <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
    </Radix.Trigger>
  );
  return (
    <Radix.Root open={isOpen} onOpenChange={change}>
      {isBlocked ? <Tooltip content={disabledReason}>{trigger}</Tooltip> : trigger}
      <Radix.Portal>
        <Radix.Content
          id={listId}
          role="listbox"
          aria-label={aria['aria-label'] ?? 'Options'}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          className="z-50 max-h-(--radix-popover-content-available-height) min-w-(--radix-popover-trigger-width) max-w-[calc(100vw-1rem)] animate-enter overflow-y-auto rounded-lg bg-surface p-1 shadow-floating outline-none"
        >
          {options.map((option, index) => (
            <Option
              key={option.value}
              {...option}
              id={`${listId}-${index}`}
              isActive={index === active}
              isChosen={index === chosen}
              onActivate={() => setActive(index)}
              onChoose={() => choose(index)}
            />
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface OptionProps extends SelectOption {
  id: string;
  isActive: boolean;
  isChosen: boolean;
  onActivate: () => void;
  onChoose: () => void;
}

function Option({ id, label, description, disabledReason, isActive, isChosen, onActivate, onChoose }: OptionProps) {
  const second = disabledReason ?? description;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // The focus and the keys stay with the button: aria-activedescendant names the active option.
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isChosen}
      aria-disabled={disabledReason !== undefined || undefined}
      onPointerMove={disabledReason === undefined ? onActivate : undefined}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={cn(
        'relative grid cursor-default select-none gap-0.5 rounded-md py-1.5 pr-3 pl-8 text-sm aria-disabled:text-muted',
        isActive && 'bg-sunken',
      )}
    >
      {isChosen ? <Check aria-hidden="true" className="absolute top-2 left-2 size-4" /> : null}
      <span>{label}</span>
      {second ? <span className="max-w-72 text-muted text-xs">{second}</span> : null}
    </div>
  );
}
