'use client';

import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Input } from '@/components/ui/input';

const TYPING_MS = 350;

/** A text filter that applies after a pause in typing, or on Enter. The shortcut `/` focuses it. */
export function TextFilter({
  label,
  placeholder,
  value,
  onChange,
}: {
  label: string;
  placeholder: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const [typed, setTyped] = useState(value ?? '');
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => setTyped(value ?? ''), [value]);
  useEffect(() => {
    const text = typed.trim();
    if (text === (value ?? '')) return;
    const timer = setTimeout(() => latest.current(text || undefined), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <div className="relative min-w-0 max-sm:w-full">
      <Search aria-hidden="true" className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted" />
      <Input
        data-search=""
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onChange(typed.trim() || undefined);
        }}
        className="pl-8 sm:w-64"
      />
    </div>
  );
}
