'use client';

import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { Input } from '@/components/ui/input';
import { FilterFault, useTypedFilter } from './text-filter';

export interface Suggestion {
  /** Tells suggestions with the same value apart. */
  id?: string;
  value: string;
  /** What it selects, if the value does not say. */
  hint?: string;
}

export interface SuggestFilterProps {
  label: string;
  placeholder: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** Returns the suggestions for a text, best first: few enough to be seen at once. */
  suggest: (typed: string) => readonly Suggestion[];
  /** Returns what is wrong with a text, in one sentence; undefined when it can be a filter. */
  faultOf: (typed: string) => string | undefined;
  /** Called when the suggestions open. */
  onOpen?: () => void;
  /** Called as the text changes, for suggestions that must be loaded. */
  onType?: (typed: string) => void;
  /** Called when a suggestion is chosen, in place of `onChange`: the text is only its name. */
  onChoose?: (suggestion: Suggestion) => void;
  /** The class of its width; on narrow screens it fills the row. */
  width: string;
  /** Whether the shortcut `/` focuses it. */
  isSearch?: boolean;
}

/**
 * A text filter with suggestions. It applies after a pause in typing, on Enter, or when a suggestion is chosen; a text that
 * cannot be a filter is explained and not applied. Follows the combobox pattern of WAI-ARIA with list autocomplete.
 */
export function SuggestFilter(props: SuggestFilterProps) {
  const {
    label,
    placeholder,
    value,
    onChange,
    suggest,
    faultOf,
    onOpen,
    onType,
    onChoose,
    width,
    isSearch = false,
  } = props;
  const id = useId();
  const { typed, setTyped, fault, apply } = useTypedFilter({ value, onChange, faultOf });
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const field = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [leftPx, setLeftPx] = useState(0);
  const shown = isOpen ? suggest(typed.trim()) : [];
  // While there are suggestions, the text may become one of them.
  const shownFault = shown.length > 0 ? undefined : fault;
  const activeId = shown[active] === undefined ? undefined : `${id}-${active}`;
  const open = () => {
    if (!isOpen) onOpen?.();
    setLeftPx(field.current?.getBoundingClientRect().left ?? 0);
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const choose = (suggestion: Suggestion | undefined) => {
    if (suggestion !== undefined && onChoose !== undefined) {
      setTyped(suggestion.value);
      onChoose(suggestion);
    } else apply(suggestion?.value ?? typed);
    close();
  };
  useEffect(() => {
    if (activeId !== undefined)
      list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      open();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const count = suggest(typed.trim()).length;
      // From the text field, Up goes to the last suggestion; past either end, back to the text field.
      setActive((now) => ((now + 1 + step + count + 1) % (count + 1)) - 1);
    } else if (event.key === 'Enter') {
      choose(shown[active]);
    } else if (event.key === 'Escape' && isOpen) {
      // Only closes the list: the browser would also clear the text of a search field.
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };

  return (
    <div ref={field} className={cn('relative min-w-0', width)}>
      <Search aria-hidden="true" className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted" />
      <Input
        {...(isSearch ? { 'data-search': '' } : {})}
        type="search"
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={shown.length > 0}
        aria-controls={shown.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={activeId}
        aria-invalid={shownFault === undefined ? undefined : true}
        aria-describedby={shownFault === undefined ? undefined : `${id}-fault`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={placeholder}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          onType?.(event.target.value);
          setActive(-1);
          open();
        }}
        onClick={open}
        onBlur={close}
        onKeyDown={onKeyDown}
        className="pl-8"
      />
      {shown.length === 0 ? null : (
        <ul
          ref={list}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the popup of a combobox
          role="listbox"
          id={`${id}-list`}
          aria-label={label}
          // It ends within the page: a scrollbar, and as much space as at the left of a phone.
          style={{ maxWidth: `calc(100vw - ${leftPx}px - 2rem)` }}
          className="absolute top-10 left-0 z-30 w-max min-w-full animate-enter rounded-lg bg-surface p-1 shadow-floating"
        >
          {shown.map((suggestion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of a combobox go to its text field
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field
            <li
              key={suggestion.id ?? suggestion.value}
              id={`${id}-${index}`}
              // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the popup of a combobox
              role="option"
              aria-selected={index === active}
              // Keeps the focus in the text field, whose loss closes the list.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(suggestion)}
              className="flex cursor-default flex-wrap items-baseline justify-between gap-x-4 rounded-md px-2 py-1.5 text-sm hover:bg-sunken aria-selected:bg-sunken"
            >
              <span className="max-w-full truncate font-mono text-xs">{suggestion.value}</span>
              {suggestion.hint === undefined ? null : (
                <span className="max-w-full truncate text-muted text-xs">{suggestion.hint}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      <FilterFault id={`${id}-fault`} fault={shownFault} />
    </div>
  );
}
