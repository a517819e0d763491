'use client';

import { useSyncExternalStore } from 'react';
import type { ExternalToast } from 'sonner';
import { lazyPart, useLazyPart } from './lazy-part';

/** What shows toasts. Loaded with the first one. */
const toastPanel = lazyPart(() => import('./toast-panel'));

let isWanted = false;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function show(kind: 'success' | 'error' | 'warning', text: string, options?: ExternalToast): void {
  isWanted = true;
  for (const listener of listeners) listener();
  // A toast confirms what has happened. When its code cannot be loaded, there is nothing else to do.
  toastPanel.load().then(
    ({ toast }) => toast[kind](text, options),
    () => undefined,
  );
}

/** Shows a short confirmation. Anything that needs an answer or must not be missed belongs in the page. */
export const toast = {
  success: (text: string, options?: ExternalToast) => show('success', text, options),
  error: (text: string, options?: ExternalToast) => show('error', text, options),
  warning: (text: string, options?: ExternalToast) => show('warning', text, options),
};

/** The place of the toasts. */
export function Toaster() {
  const wanted = useSyncExternalStore(
    subscribe,
    () => isWanted,
    () => false,
  );
  const panel = useLazyPart(toastPanel, wanted);
  return panel === null ? null : <panel.ToastPanel />;
}
