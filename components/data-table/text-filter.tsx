'use client';

import { Search } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { Input } from '@/components/ui/input';

/** A text filter that applies after a pause in typing, or on Enter. */
export function TextFilter({
  label,
  placeholder,
  value,
  onChange,
  faultOf,
  width = 'sm:w-64',
  isSearch = true,
}: {
  label: string;
  placeholder: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** Returns what is wrong with a text, in one sentence; it is then not applied. */
  faultOf?: (typed: string) => string | undefined;
  /** The class of its width; on narrow screens it fills the row. */
  width?: string;
  /** Whether the shortcut `/` focuses it. */
  isSearch?: boolean;
}) {
  const id = useId();
  const { typed, setTyped, fault, apply } = useTypedFilter({ value, onChange, faultOf });
  return (
    <div className={cn('relative min-w-0', width)}>
      <Search aria-hidden="true" className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted" />
      <Input
        {...(isSearch ? { 'data-search': '' } : {})}
        type="search"
        aria-label={label}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
        placeholder={placeholder}
        value={typed}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply(typed);
        }}
        className="pl-8"
      />
      <FilterFault id={`${id}-fault`} fault={fault} />
    </div>
  );
}

/** Says below a text filter why its text is not applied. The status is always in the page, so that a change is announced. */
export function FilterFault({ id, fault }: { id: string; fault: string | undefined }) {
  return (
    <p id={id} role="status" className="max-w-64 text-danger-text text-xs not-empty:mt-1">
      {fault}
    </p>
  );
}

const TYPING_MS = 350;

/**
 * Holds the text of a filter that applies after a pause in typing. A text with a fault is not applied: the filter keeps its
 * last value until the text is corrected.
 * @returns `apply` applies a text at once
 */
export function useTypedFilter({
  value,
  onChange,
  faultOf = () => undefined,
}: {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  faultOf?: ((typed: string) => string | undefined) | undefined;
}) {
  const [typed, setTyped] = useState(value ?? '');
  const latest = useRef({ onChange, faultOf });
  latest.current = { onChange, faultOf };
  const sent = useRef<string[]>([]);
  useEffect(() => {
    if (!takeSent(sent.current, value ?? '')) setTyped(value ?? '');
  }, [value]);
  const text = typed.trim();
  const fault = text === '' ? undefined : faultOf(text);
  useEffect(() => {
    if (text === (value ?? '') || (text !== '' && latest.current.faultOf(text) !== undefined)) return;
    const timer = setTimeout(() => {
      sent.current.push(text);
      latest.current.onChange(text || undefined);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  const apply = (given: string) => {
    const chosen = given.trim();
    setTyped(chosen);
    if (chosen !== '' && faultOf(chosen) !== undefined) return;
    sent.current.push(chosen);
    onChange(chosen || undefined);
  };
  return { typed, setTyped, fault, apply };
}

/**
 * Returns whether a value is one that the field itself has sent: the person may have typed on since. Else it is set from elsewhere,
 * and replaces what is typed.
 * @param sent what was sent and has not arrived, oldest first; what the value settles is removed
 */
export function takeSent(sent: string[], value: string): boolean {
  const at = sent.indexOf(value);
  sent.splice(0, at < 0 ? sent.length : at + 1);
  return at >= 0;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns what is wrong with the text of a filter by id; undefined when nothing is. */
export function idFault(typed: string): string | undefined {
  return UUID.test(typed) ? undefined : 'Enter a complete ID, such as the one that a row copies.';
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

const IPV6_CHARACTERS = /^[0-9a-f:.]+$/i;

/** Returns what is wrong with the text of a filter by address; undefined when nothing is. */
export function addressFault(typed: string): string | undefined {
  const isAddress = IPV4.test(typed) || (IPV6_CHARACTERS.test(typed) && URL.canParse(`http://[${typed}]`));
  return isAddress ? undefined : 'Enter a complete address, such as 203.0.113.7.';
}

/** A filter by the id of a row. */
export function IdFilter({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  return (
    <TextFilter
      label={label}
      placeholder={label}
      value={value}
      onChange={onChange}
      faultOf={idFault}
      width="sm:w-44"
      isSearch={false}
    />
  );
}
