'use client';

import { useEffect, useRef } from 'react';

/** A page that takes longer to show its heading gets the focus no more: the person may have started to use it. */
const WAIT_MS = 10_000;

/**
 * Moves the focus to the heading of the page when the path changes, so that screen readers announce it and the keyboard
 * starts there. Leaves the focus where it is on the first load, and once the person presses a key or clicks.
 */
export function useHeadingFocus(pathname: string): void {
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const main = document.getElementById('main');
    if (main === null || focusHeading(main)) return;
    const observer = new MutationObserver(() => {
      if (focusHeading(main)) stop();
    });
    const stop = () => {
      observer.disconnect();
      clearTimeout(timer);
      for (const type of ['keydown', 'pointerdown']) document.removeEventListener(type, stop, true);
    };
    const timer = setTimeout(stop, WAIT_MS);
    for (const type of ['keydown', 'pointerdown']) document.addEventListener(type, stop, true);
    observer.observe(main, { childList: true, subtree: true });
    return stop;
  }, [pathname]);
}

/** @returns whether there is a heading */
function focusHeading(main: HTMLElement): boolean {
  const heading = main.querySelector<HTMLElement>('h1');
  if (heading === null) return false;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  return true;
}
