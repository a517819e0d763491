/** Time within which the second key of `g e` counts. */
const SEQUENCE_MS = 1200;

export interface KeyPress {
  key: string;
  atMs: number;
  /** Whether Ctrl or Cmd is held. */
  command: boolean;
  /** Whether the person is typing into something. */
  typing: boolean;
}

export type Shortcut =
  | { kind: 'palette' }
  | { kind: 'search' }
  | { kind: 'help' }
  | { kind: 'go'; key: string }
  | { kind: 'none'; leader: number | null };

/**
 * What a key press means. `leaderAtMs` is when `g` was last pressed alone, or null.
 * Single keys can be switched off (WCAG 2.1.4); Ctrl-K and Cmd-K always work, also while typing.
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
