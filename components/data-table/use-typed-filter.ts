'use client';

import { useEffect, useRef, useState } from 'react';

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
  useEffect(() => setTyped(value ?? ''), [value]);
  const text = typed.trim();
  const fault = text === '' ? undefined : faultOf(text);
  useEffect(() => {
    if (text === (value ?? '') || (text !== '' && latest.current.faultOf(text) !== undefined)) return;
    const timer = setTimeout(() => latest.current.onChange(text || undefined), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  const apply = (given: string) => {
    const chosen = given.trim();
    setTyped(chosen);
    if (chosen === '' || faultOf(chosen) === undefined) onChange(chosen || undefined);
  };
  return { typed, setTyped, fault, apply };
}
