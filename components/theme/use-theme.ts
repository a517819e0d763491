'use client';

import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

function subscribe(listener: () => void): () => void {
  window.addEventListener('theme-shown', listener);
  return () => window.removeEventListener('theme-shown', listener);
}

/** Returns what the person has chosen and what that shows. Both are kept on the root element by theme-script.ts. */
export function useTheme(): { theme: Theme; isDark: boolean } {
  const theme = useSyncExternalStore(
    subscribe,
    () => (document.documentElement.dataset.theme ?? 'system') as Theme,
    () => 'system' as const,
  );
  const isDark = useSyncExternalStore(
    subscribe,
    () => document.documentElement.classList.contains('dark'),
    () => false,
  );
  return { theme, isDark };
}

/** Shows a theme in every tab, and remembers it. Without storage it lasts until the page is left. */
export function chooseTheme(theme: Theme): void {
  try {
    window.localStorage.setItem('theme', theme);
  } catch {
    // The page still shows it.
  }
  window.dispatchEvent(new CustomEvent('theme-choice', { detail: theme }));
}
