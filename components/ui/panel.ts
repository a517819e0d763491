'use client';

import { useRef } from 'react';

export const overlayStyle = 'fixed inset-0 z-40 bg-overlay';
export const panelStyle =
  'fixed z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] flex-col rounded-xl bg-surface shadow-floating animate-enter top-1/2 left-1/2 -translate-1/2';

/**
 * Returns the focus to the element that opened a dialog. Radix does so only for its own triggers, and these dialogs are
 * opened by state. For a menu item, which is gone by then, the button of the menu gets the focus.
 */
export function useReturnFocus() {
  const opener = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      opener.current = openerOf(document.activeElement);
      focusCheckedRadio(event);
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // What was confirmed may have removed the opener.
      const main = document.getElementById('main');
      (opener.current?.isConnected ? opener.current : main)?.focus();
    },
  };
}

/**
 * A dialog focuses its first field. If that is a radio button, focuses the checked one instead: Space on another one would
 * select it by accident.
 */
function focusCheckedRadio(event: Event): void {
  if (!(event.target instanceof HTMLElement)) return;
  const first = event.target.querySelector('input, select, textarea, button, a[href]');
  if (!(first instanceof HTMLInputElement) || first.type !== 'radio') return;
  const checked = event.target.querySelector<HTMLInputElement>('input[type="radio"]:checked');
  if (checked === null) return;
  event.preventDefault();
  checked.focus();
}

function openerOf(element: Element | null): HTMLElement | null {
  const menuButton = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = menuButton ? document.getElementById(menuButton) : element;
  return opener instanceof HTMLElement ? opener : null;
}
