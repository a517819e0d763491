import { expect, it } from 'vitest';
import { SEARCH_KINDS, type SearchResult } from '@/lib/search/schema';
import { matchesWords } from './matches-words';
import { ACCOUNT_ITEMS, NAV_ITEMS, ORGANIZATION_ITEMS, organizationItems, shortcutPath } from './nav-items';
import { chooseScope } from './use-navigation-scope';
import { KIND_LABELS, resultPath } from './use-search';
import { type KeyPress, readShortcut } from './use-shortcuts';

const lastEventAt = null;
const ours = {
  id: 'ours',
  projects: [
    { id: 'shop', lastEventAt },
    { id: 'blog', lastEventAt },
  ],
};
const theirs = { id: 'theirs', projects: [{ id: 'bank', lastEventAt }] };
const empty = { id: 'empty', projects: [] };
const all = [ours, theirs, empty];
const NOWHERE = { projectId: undefined, organizationId: undefined, lastProjectId: null, homeId: undefined };

it('chooses the project of the URL and its organization', () => {
  const scope = chooseScope(all, { ...NOWHERE, projectId: 'bank', lastProjectId: 'shop', homeId: 'ours' });
  expect(scope).toEqual({ project: theirs.projects[0], organization: theirs });
});

it('chooses the organization of the URL, with the last project if it belongs to it, else its busiest', () => {
  const at = (organizationId: string) => chooseScope(all, { ...NOWHERE, organizationId, lastProjectId: 'blog' });
  expect(at('ours')).toEqual({ project: ours.projects[1], organization: ours });
  expect(at('theirs')).toEqual({ project: theirs.projects[0], organization: theirs });
  expect(at('empty')).toEqual({ project: undefined, organization: empty });
});

it('chooses no project when the one of the URL is unknown', () => {
  expect(chooseScope(all, { ...NOWHERE, projectId: 'gone', homeId: 'ours' }).project).toBeUndefined();
});

it('chooses the last project when the URL names neither', () => {
  expect(chooseScope(all, { ...NOWHERE, lastProjectId: 'bank', homeId: 'ours' }).organization).toBe(theirs);
});

it('falls back to the organization of the session, also without projects', () => {
  expect(chooseScope(all, { ...NOWHERE, lastProjectId: 'gone', homeId: 'empty' })).toEqual({
    project: undefined,
    organization: empty,
  });
});

it('falls back to the first organization when the session is in none', () => {
  expect(chooseScope(all, { ...NOWHERE, homeId: 'gone' }).organization).toBe(ours);
  expect(chooseScope([], NOWHERE).organization).toBeUndefined();
});

const NOTHING = { projectId: undefined, organizationId: undefined };

it('gives every page a different key', () => {
  const keys = [...NAV_ITEMS, ...ORGANIZATION_ITEMS, ...ACCOUNT_ITEMS].map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

it('opens account pages from anywhere, and project pages within a project', () => {
  expect(shortcutPath('a', NOTHING)).toBe('/account');
  expect(shortcutPath('i', { ...NOTHING, projectId: 'p1' })).toBe('/account/sessions');
  expect(shortcutPath('e', { ...NOTHING, projectId: 'p1' })).toBe('/projects/p1/events');
  expect(shortcutPath('p', { ...NOTHING, projectId: 'p1' })).toBe('/projects/p1/settings');
  expect(shortcutPath('e', { ...NOTHING, organizationId: 'o1' })).toBeUndefined();
  expect(shortcutPath('?', { projectId: 'p1', organizationId: 'o1' })).toBeUndefined();
});

it('opens the pages of the current organization', () => {
  expect(shortcutPath('m', { ...NOTHING, organizationId: 'o1' })).toBe('/orgs/o1/members');
  expect(shortcutPath('l', { projectId: 'p1', organizationId: 'o1' })).toBe('/orgs/o1/audit');
  expect(shortcutPath('r', { ...NOTHING, organizationId: 'o1' })).toBe('/retention');
  expect(shortcutPath('r', NOTHING)).toBe('/retention');
  expect(shortcutPath('o', NOTHING)).toBeUndefined();
});

const result = (kind: SearchResult['kind']): SearchResult => ({
  kind,
  id: 'x',
  title: 'A title',
  projectId: kind === 'member' ? null : 'p',
  projectName: kind === 'member' ? null : 'Shop',
  sourceId: kind === 'destination' || kind === 'incoming_event' ? 's' : null,
});

it.each([
  ['project', '/projects/p/events'],
  ['api_key', '/projects/p/keys/x'],
  ['endpoint', '/projects/p/endpoints/x'],
  ['subscription', '/projects/p/subscriptions'],
  ['event', '/projects/p/events/x'],
  ['delivery', '/projects/p/deliveries/x'],
  ['source', '/projects/p/sources/x'],
  ['destination', '/projects/p/sources/s'],
  ['incoming_event', '/projects/p/incoming-events/x'],
  ['tunnel', '/projects/p/tunnels/x'],
  ['member', '/orgs/o/members'],
] as const)('a %s is shown at %s', (kind, path) => {
  expect(resultPath(result(kind), 'o')).toBe(path);
});

it('every kind has a label', () => {
  expect(Object.keys(KIND_LABELS).sort()).toEqual([...SEARCH_KINDS].sort());
});

it('matches a name that contains every typed word, in any case and order', () => {
  expect(matchesWords('Analytical Engines Web shop', 'shop ENG')).toBe(true);
  expect(matchesWords('API keys', ' keys ')).toBe(true);
  expect(matchesWords('API keys', '')).toBe(true);
});

it('does not match scattered letters', () => {
  expect(matchesWords('Analytical Engines Web shop 01a1fbe6-c475', 'acc')).toBe(false);
  expect(matchesWords('Analytical Engines Web shop', 'shop keys')).toBe(false);
});

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

it('offers the audit log to those who may read it', () => {
  const offered = (role?: 'ADMIN' | 'DEVELOPER') => organizationItems(role).map(({ segment }) => segment);
  expect(offered('ADMIN')).toContain('audit');
  expect(offered()).toContain('audit');
  expect(offered('DEVELOPER')).toEqual(['settings', 'members', 'retention']);
});
