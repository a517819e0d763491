'use client';

import { createContext, useContext, useEffect } from 'react';

/** The forms of this page whose changes were not sent. */
const unsaved = new Set<object>();

/** Whether a form of this page has changes that were not sent. */
export const hasUnsaved = () => unsaved.size > 0;

/** The unsaved forms of a dialog. */
export const UnsavedInDialog = createContext<Set<object> | null>(null);

/** Asks before the tab is closed or reloaded. The browser chooses the words. */
const warn = (event: Event) => event.preventDefault();

/**
 * Keeps what was typed from being lost: by closing its dialog or the tab, or when the session ends. While it is sent, its dialog may be
 * closed.
 */
export function useUnsaved(isUnsaved: boolean, isSending: boolean): void {
  const inDialog = useContext(UnsavedInDialog);
  useEffect(() => {
    if (!isUnsaved) return;
    const form = {};
    const sets = inDialog === null || isSending ? [unsaved] : [unsaved, inDialog];
    for (const set of sets) set.add(form);
    window.addEventListener('beforeunload', warn);
    return () => {
      for (const set of sets) set.delete(form);
      if (unsaved.size === 0) window.removeEventListener('beforeunload', warn);
    };
  }, [isUnsaved, isSending, inDialog]);
}
