import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildPath, missingNames } from './build-path';

const TEMPLATE = '/api/v1/projects/{projectId}/events/{eventId}';

it('fills the path and adds the query parameters that have a value', () => {
  const values = { projectId: ' p1 ', eventId: 'e/1', limit: '5', cursor: ' ' };
  expect(buildPath(TEMPLATE, ['limit', 'cursor', 'type'], values)).toBe('/api/v1/projects/p1/events/e%2F1?limit=5');
});

it('names the path parameters without a value', () => {
  expect(missingNames(TEMPLATE, { projectId: 'p1', eventId: ' ' })).toEqual(['eventId']);
  expect(missingNames(TEMPLATE, { projectId: 'p1', eventId: 'e1' })).toEqual([]);
});

it('never leaves the path of the call, whatever is typed', () => {
  const part = fc.oneof(
    fc.constantFrom('..', '.', '../..', '%2e%2e', '//evil.example', '\\\\x', '?a', '#b'),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(part, (typed) => {
      const url = new URL(buildPath(TEMPLATE, [], { projectId: 'p1', eventId: typed }), 'https://ours.example');
      expect(url.origin).toBe('https://ours.example');
      expect(url.pathname).toMatch(/^\/api\/v1\/projects\/p1\/events\/[^/]*$/);
      expect(url.search + url.hash).toBe('');
    }),
  );
});
