'use client';

import { ChevronDown } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { cn } from './cn';
import { controlStyle } from './input';
import { lazyPart, preload, useLazyPart } from './lazy-part';
import type { SelectOption } from './select-list';
import { Tooltip } from './tooltip';
import { useSelectKeys } from './use-select-keys';

/** The open list. Loaded when a person first reaches for a select. */
const selectList = lazyPart(() => import('./select-list').then(({ SelectList }) => SelectList));

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
  const button = useRef<HTMLButtonElement>(null);
  const [isWanted, setIsWanted] = useState(false);
  const List = useLazyPart(selectList, isWanted);
  const isOpen = isWanted && List !== null;
  const [active, setActive] = useState(-1);
  const isBlocked = disabledReason !== undefined;
  const chosen = options.findIndex((option) => option.value === value);
  const change = (open: boolean) => {
    if (isBlocked) return;
    setIsWanted(open);
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
    <button
      {...aria}
      ref={button}
      type="button"
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={isOpen}
      aria-controls={isOpen ? listId : undefined}
      aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
      aria-disabled={isBlocked || undefined}
      data-state={isOpen ? 'open' : 'closed'}
      onClick={() => change(!isOpen)}
      onKeyDown={onKeyDown}
      onPointerEnter={() => preload(selectList)}
      onFocus={() => preload(selectList)}
      className={cn(
        controlStyle,
        'flex h-9 items-center justify-between gap-2 px-3 text-left aria-disabled:cursor-not-allowed aria-disabled:border-border aria-disabled:bg-sunken aria-disabled:text-muted',
        className,
      )}
    >
      <span className={cn('truncate', chosen < 0 && 'text-muted')}>{options[chosen]?.label ?? placeholder}</span>
      <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
    </button>
  );
  return (
    <>
      {isBlocked ? <Tooltip content={disabledReason}>{trigger}</Tooltip> : trigger}
      {List === null ? null : (
        <List
          id={listId}
          label={aria['aria-label'] ?? 'Options'}
          anchor={button}
          isOpen={isOpen}
          onOpenChange={change}
          options={options}
          active={active}
          chosen={chosen}
          onActivate={setActive}
          onChoose={choose}
        />
      )}
    </>
  );
}
