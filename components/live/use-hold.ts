'use client';

import { useCallback, useEffect, useRef, useState } from 'react';

/** Why new rows wait: adding them would move rows that the person points at, reads, or works with. */
export type HoldReason = 'pointer' | 'focus' | 'selection' | 'scroll' | 'touch';

/** Rows that are selected, and menus that are open. */
const IN_USE = '[aria-selected="true"], input[type="checkbox"]:checked, [aria-expanded="true"]';
const EVENTS = ['pointerenter', 'pointerleave', 'focusin', 'focusout', 'change'] as const;

/** Watches whether rows may be added to a list. Attach `ref` to the element that contains the list. */
export function useHold() {
  const element = useRef<HTMLDivElement | null>(null);
  const [reason, setReason] = useState<HoldReason | null>(null);
  const check = useCallback(() => (element.current === null ? null : findReason(element.current)), []);
  useEffect(() => {
    const list = element.current;
    if (list === null) return;
    // After the event: the focus is nowhere while it moves from one row to the next.
    let frame = 0;
    const update = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setReason(findReason(list)));
    };
    update();
    for (const name of EVENTS) list.addEventListener(name, update);
    document.addEventListener('selectionchange', update);
    window.addEventListener('scroll', update, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      for (const name of EVENTS) list.removeEventListener(name, update);
      document.removeEventListener('selectionchange', update);
      window.removeEventListener('scroll', update);
    };
  }, []);
  const refresh = useCallback(() => setReason(check()), [check]);
  return { ref: element, reason, check, refresh };
}

function findReason(list: HTMLElement): HoldReason | null {
  if (list.matches(':hover')) return 'pointer';
  if (list.contains(document.activeElement)) return 'focus';
  if (list.querySelector(IN_USE) !== null || hasSelectedText(list)) return 'selection';
  if (list.getBoundingClientRect().top < 0) return 'scroll';
  // Without a pointer that hovers, nobody can tell where the next tap will be.
  return window.matchMedia('(hover: none)').matches ? 'touch' : null;
}

function hasSelectedText(list: HTMLElement): boolean {
  const selection = window.getSelection();
  return selection !== null && !selection.isCollapsed && list.contains(selection.anchorNode);
}
