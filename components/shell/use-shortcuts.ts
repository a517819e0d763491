'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { type ScopeIds, shortcutPath } from './nav-items';
import { readShortcut } from './shortcuts';
import { readSingleKeys } from './single-keys';

export interface ShortcutActions {
  scope: ScopeIds;
  openPalette: () => void;
  openHelp: () => void;
}

/** Handles the keyboard shortcuts of the shell. `/` focuses the element with `data-search`. */
export function useShortcuts(actions: ShortcutActions): void {
  const router = useRouter();
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    let leaderAtMs: number | null = null;
    const listen = (event: KeyboardEvent) => {
      if (event.altKey || event.isComposing || event.defaultPrevented) return;
      const press = {
        key: event.key,
        atMs: event.timeStamp,
        command: event.ctrlKey || event.metaKey,
        typing: isTyping(event.target),
      };
      const shortcut = readShortcut(press, leaderAtMs, readSingleKeys());
      leaderAtMs = shortcut.kind === 'none' ? shortcut.leader : null;
      const { scope, openPalette, openHelp } = latest.current;
      if (shortcut.kind === 'none') return;
      if (shortcut.kind !== 'palette' && isModalOpen()) return;
      if (shortcut.kind === 'palette') openPalette();
      if (shortcut.kind === 'help') openHelp();
      if (shortcut.kind === 'search') focusSearch(openPalette);
      if (shortcut.kind === 'go') {
        const path = shortcutPath(shortcut.key, scope);
        if (path === undefined) return;
        router.push(path);
      }
      event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [router]);
}

function focusSearch(otherwise: () => void): void {
  const search = document.querySelector<HTMLElement>('[data-search]');
  if (search === null) otherwise();
  else search.focus();
}

function isModalOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
