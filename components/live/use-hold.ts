'use client';

import { useCallback, useEffect, useRef, useState } from 'react';

/** Why new rows wait: adding them would move rows that the person points at, reads, or works with. */
export type HoldReason = 'pointer' | 'focus' | 'selection' | 'scroll' | 'touch';

/** Rows that are selected, and menus that are open. */
const IN_USE = '[aria-selected="true"], input[type="checkbox"]:checked, [aria-expanded="true"]';
const EVENTS = ['pointerenter', 'pointerleave', 'focusin', 'focusout', 'change'] as const;
/** A pointer that has not moved for this long was left there. */
const POINTER_RESTS_AFTER_MS = 10_000;

/** Watches whether rows may be added to a list. Attach `ref` to the element that contains the list. */
export function useHold() {
  const element = useRef<HTMLDivElement | null>(null);
  const [reason, setReason] = useState<HoldReason | null>(null);
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const check = useCallback(() => {
    const isPointing = performance.now() - movedAt.current < POINTER_RESTS_AFTER_MS;
    return element.current === null ? null : findReason(element.current, isPointing);
  }, []);
  useEffect(() => {
    const list = element.current;
    if (list === null) return;
    // After the event: the focus is nowhere while it moves from one row to the next.
    let frame = 0;
    const update = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setReason(check()));
    };
    let resting: ReturnType<typeof setTimeout> | undefined;
    const move = () => {
      const wasResting = performance.now() - movedAt.current >= POINTER_RESTS_AFTER_MS;
      movedAt.current = performance.now();
      clearTimeout(resting);
      resting = setTimeout(update, POINTER_RESTS_AFTER_MS);
      if (wasResting) update();
    };
    update();
    for (const name of EVENTS) list.addEventListener(name, update);
    list.addEventListener('pointermove', move, { passive: true });
    document.addEventListener('selectionchange', update);
    window.addEventListener('scroll', update, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(resting);
      list.removeEventListener('pointermove', move);
      for (const name of EVENTS) list.removeEventListener(name, update);
      document.removeEventListener('selectionchange', update);
      window.removeEventListener('scroll', update);
    };
  }, [check]);
  const refresh = useCallback(() => setReason(check()), [check]);
  return { ref: element, reason, check, refresh };
}

/** @param isPointing whether the pointer has moved over the list lately */
function findReason(list: HTMLElement, isPointing: boolean): HoldReason | null {
  if (isPointing && list.matches(':hover')) return 'pointer';
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
