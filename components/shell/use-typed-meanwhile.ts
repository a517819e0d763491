'use client';

import { useCallback, useEffect, useRef } from 'react';

/**
 * Collects what a person types between opening a field and its focus, also while its code is being loaded, so that no key is
 * lost. The field takes the text with the returned function when it gets the focus, which ends the collection.
 * @param isOpen whether the field is open or being loaded
 */
export function useTypedMeanwhile(isOpen: boolean): () => string {
  const typed = useRef('');
  const stop = useRef(() => {});
  useEffect(() => {
    if (!isOpen) return;
    const collect = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isInDialog(event.target)) return;
      if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else if (event.key.length === 1) typed.current += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', collect, true);
    stop.current = () => {
      window.removeEventListener('keydown', collect, true);
      typed.current = '';
    };
    return stop.current;
  }, [isOpen]);
  return useCallback(() => {
    const text = typed.current;
    stop.current();
    return text;
  }, []);
}

/** The effects of a loaded dialog run first: its field may have the focus when the collection starts. */
function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"]') !== null;
}
