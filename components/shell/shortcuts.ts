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

export type Shortcut =
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
