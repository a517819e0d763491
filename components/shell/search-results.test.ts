import { expect, it } from 'vitest';
import { SEARCH_KINDS, type SearchResult } from '@/lib/search/schema';
import { KIND_LABELS, resultPath } from './search-results';

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
  ['api_key', '/projects/p/keys'],
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
