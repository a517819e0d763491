'use client';

import { useRef } from 'react';

/**
 * Gives the focus back to what opened a dialog. Radix does it for its own triggers only, and these dialogs are opened by
 * state. An item of a menu is gone by then: its menu's button gets the focus.
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
      opener.current?.focus();
    },
  };
}

/**
 * A dialog focuses its first field. Where that is a radio button it must be the checked one: Space on another one would choose
 * that, unseen.
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
