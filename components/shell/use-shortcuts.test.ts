import { expect, it } from 'vitest';
import { type KeyPress, readShortcut } from './use-shortcuts';

const press = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({
  key,
  atMs: 1000,
  command: false,
  typing: false,
  ...change,
});

it('opens a page with g and its key', () => {
  const leader = readShortcut(press('g'), null, true);
  expect(leader).toEqual({ kind: 'none', leader: 1000 });
  expect(readShortcut(press('e', { atMs: 1500 }), 1000, true)).toEqual({ kind: 'go', key: 'e' });
});

it('ignores a key too long after g', () => {
  expect(readShortcut(press('e', { atMs: 9000 }), 1000, true)).toEqual({ kind: 'none', leader: null });
});

it('opens the palette also while typing and with single-key shortcuts off', () => {
  expect(readShortcut(press('k', { command: true, typing: true }), null, false)).toEqual({ kind: 'palette' });
});

it('ignores single keys while typing', () => {
  for (const key of ['g', '/', '?']) {
    expect(readShortcut(press(key, { typing: true }), null, true)).toEqual({ kind: 'none', leader: null });
  }
});

it('ignores single keys when they are off', () => {
  for (const key of ['g', '/', '?']) {
    expect(readShortcut(press(key), null, false)).toEqual({ kind: 'none', leader: null });
  }
});

it('opens search and help', () => {
  expect(readShortcut(press('/'), null, true)).toEqual({ kind: 'search' });
  expect(readShortcut(press('?'), null, true)).toEqual({ kind: 'help' });
});
