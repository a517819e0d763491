'use client';

import { CloudOff } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';

const EVENTS = ['online', 'offline'] as const;
const listeners = new Set<() => void>();
let hasRefused = false;

function notify(): void {
  hasRefused = hasRefused && !navigator.onLine;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  for (const name of EVENTS) window.addEventListener(name, notify);
  return () => {
    listeners.delete(listener);
    for (const name of EVENTS) window.removeEventListener(name, notify);
  };
}

/** Whether a page cannot be opened now, since the browser is offline. Then the bar says so. */
export function refuseOffline(): boolean {
  if (navigator.onLine) return false;
  hasRefused = true;
  notify();
  return true;
}

const read = () => (navigator.onLine ? 'online' : hasRefused ? 'refused' : 'offline');

const WORDS = {
  offline: 'You’re offline. What you see may be out of date.',
  refused: 'You’re offline. This page stays open until you’re back.',
};

/** Says that the browser is offline, and keeps the page: the browser would replace it by a page of errors when a link is followed. */
export function OfflineBar() {
  const state = useSyncExternalStore(subscribe, read, () => 'online' as const);
  const isOnline = state === 'online';
  useEffect(() => {
    if (isOnline) return;
    const keepPage = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      const isInPage = link?.getAttribute('href')?.startsWith('#') ?? true;
      if (isInPage || !refuseOffline()) return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('click', keepPage, true);
    return () => document.removeEventListener('click', keepPage, true);
  }, [isOnline]);
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-0 z-60 flex justify-center p-3">
      {state === 'online' ? null : (
        <p className="flex items-center gap-2 rounded-lg bg-warning-subtle px-4 py-2 font-medium text-sm shadow-floating">
          <CloudOff aria-hidden="true" className="size-4 text-warning-text" />
          {WORDS[state]}
        </p>
      )}
    </div>
  );
}
