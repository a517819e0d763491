import { type KeyboardEvent, useCallback } from 'react';

const STEP: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** Returns a key handler: arrow keys move between row links; Home and End go to the first and last. */
export function useRowNavigation() {
  return useCallback((event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.rowLink === undefined) return;
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a[data-row-link]')];
    const present = links.indexOf(event.target);
    const target =
      event.key === 'Home' ? 0 : event.key === 'End' ? links.length - 1 : present + (STEP[event.key] ?? Number.NaN);
    const link = links[target];
    if (link === undefined) return;
    event.preventDefault();
    link.focus();
  }, []);
}
