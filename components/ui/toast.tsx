'use client';

import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import type { ExternalToast } from 'sonner';

const ToastPanel = dynamic(() => import('./toast-panel').then((part) => part.ToastPanel), { ssr: false });

let mountPanel = () => {};

function show(kind: 'success' | 'error' | 'warning', text: string, options?: ExternalToast): void {
  mountPanel();
  // A toast confirms what has happened. When its code cannot be loaded, there is nothing else to do.
  import('sonner').then(
    (sonner) => sonner.toast[kind](text, options),
    () => undefined,
  );
}

/**
 * Shows a short confirmation. Anything that needs an answer or must not be missed belongs in the page. The code of toasts is
 * loaded with the first one.
 */
export const toast = {
  success: (text: string, options?: ExternalToast) => show('success', text, options),
  error: (text: string, options?: ExternalToast) => show('error', text, options),
  warning: (text: string, options?: ExternalToast) => show('warning', text, options),
};

/** The place of the toasts; once around all pages. */
export function Toaster() {
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    mountPanel = () => setWanted(true);
  }, []);
  return isWanted ? <ToastPanel /> : null;
}
