import { type KeyboardEvent, useCallback, useRef } from 'react';

const STEP: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Returns a key handler: arrow keys move between row links; Home and End go to the first and last.
 *
 * @param showEdge renders the first or last rows of a partly rendered list
 */
export function useRowNavigation(showEdge: (edge: 'start' | 'end') => void) {
  const show = useRef(showEdge);
  show.current = showEdge;
  return useCallback((event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.rowLink === undefined) return;
    if (event.key === 'Home') show.current('start');
    if (event.key === 'End') show.current('end');
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
