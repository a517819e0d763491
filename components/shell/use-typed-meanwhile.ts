'use client';

import { type RefObject, useEffect, useRef } from 'react';

/**
 * Collects what a person types while the field for it is being loaded, so that no key is lost. Empty again once it is not.
 * @param isWaiting whether the field is being loaded
 */
export function useTypedMeanwhile(isWaiting: boolean): RefObject<string> {
  const typed = useRef('');
  useEffect(() => {
    if (!isWaiting) return;
    const collect = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else if (event.key.length === 1) typed.current += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', collect, true);
    return () => {
      window.removeEventListener('keydown', collect, true);
      typed.current = '';
    };
  }, [isWaiting]);
  return typed;
}
