'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { readStored, writeStored } from '@/components/ui/stored';
import { type ScopeIds, shortcutPath } from './nav-items';
import { refuseOffline } from './offline-bar';

interface ShortcutActions {
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
        if (!refuseOffline()) router.push(path);
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

/** The most time between the two keys of `g e`. */
const SEQUENCE_MS = 1200;

export interface KeyPress {
  key: string;
  atMs: number;
  /** Whether Ctrl or Cmd is held. */
  command: boolean;
  /** Whether the focus is in a text field. */
  typing: boolean;
}

type Shortcut =
  | { kind: 'palette' }
  | { kind: 'search' }
  | { kind: 'help' }
  | { kind: 'go'; key: string }
  | { kind: 'none'; leader: number | null };

/**
 * Returns the meaning of a key press. `leaderAtMs` is when `g` was last pressed, or null.
 * Single keys can be turned off (WCAG 2.1.4); Ctrl-K and Cmd-K always work, also while typing.
 */
export function readShortcut(press: KeyPress, leaderAtMs: number | null, singleKeys: boolean): Shortcut {
  if (press.command) return press.key.toLowerCase() === 'k' ? { kind: 'palette' } : { kind: 'none', leader: null };
  if (press.typing || !singleKeys) return { kind: 'none', leader: null };
  if (leaderAtMs !== null && press.atMs - leaderAtMs <= SEQUENCE_MS && /^[a-z]$/.test(press.key)) {
    return { kind: 'go', key: press.key };
  }
  if (press.key === '/') return { kind: 'search' };
  if (press.key === '?') return { kind: 'help' };
  return { kind: 'none', leader: press.key === 'g' ? press.atMs : null };
}

const SINGLE_KEYS = 'eds-single-keys';

/** Whether single-key shortcuts are on. They are on until turned off in this browser. */
export function readSingleKeys(): boolean {
  return readStored(SINGLE_KEYS) !== 'off';
}

export function writeSingleKeys(on: boolean): void {
  writeStored(SINGLE_KEYS, on ? 'on' : 'off');
}
