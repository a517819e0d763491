'use client';

import { Check } from 'lucide-react';
import * as Radix from 'radix-ui/popover';
import type { ReactNode } from 'react';
import { type RefObject, useEffect, useRef } from 'react';
import { cn } from './cn';

export interface SelectOption<Value extends string = string> {
  value: Value;
  label: ReactNode;
  /** A second line in the open list. */
  description?: string;
  /** Why the option is disabled; replaces the second line. */
  disabledReason?: string | undefined;
}

/** The list of a select, beside its button. The focus and the keys stay with the button. */
export function SelectList({
  id,
  label,
  anchor,
  isOpen,
  onOpenChange,
  options,
  active,
  chosen,
  onActivate,
  onChoose,
}: {
  id: string;
  label: string;
  anchor: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  options: readonly SelectOption[];
  /** Indexes of the options; -1 for none. */
  active: number;
  chosen: number;
  onActivate: (index: number) => void;
  onChoose: (index: number) => void;
}) {
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Anchor virtualRef={anchor as RefObject<HTMLButtonElement>} />
      <Radix.Portal>
        <Radix.Content
          id={id}
          role="listbox"
          aria-label={label}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onInteractOutside={(event) => {
            // The click closes the list. Closed here, it would open again.
            if (event.target instanceof Node && anchor.current?.contains(event.target)) event.preventDefault();
          }}
          className="z-50 max-h-(--radix-popover-content-available-height) min-w-(--radix-popover-trigger-width) max-w-[calc(100vw-1rem)] animate-enter overflow-y-auto rounded-lg bg-surface p-1 shadow-floating outline-none"
        >
          {options.map((option, index) => (
            <Option
              key={option.value}
              {...option}
              id={`${id}-${index}`}
              isActive={index === active}
              isChosen={index === chosen}
              onActivate={() => onActivate(index)}
              onChoose={() => onChoose(index)}
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
