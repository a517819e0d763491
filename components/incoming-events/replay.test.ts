import { expect, it } from 'vitest';
import { describeMatching, percentOf, replayDisabledReason, replayFilterReason } from './replay';

it('allows a replay when a destination is enabled, and while they are loading', () => {
  expect(replayDisabledReason([{ enabled: false }, { enabled: true }])).toBeUndefined();
  expect(replayDisabledReason(undefined)).toBeUndefined();
});

it('says that a source has no destinations, or only disabled ones', () => {
  expect(replayDisabledReason([])).toContain('no destination');
  expect(replayDisabledReason([{ enabled: false }])).toContain('disabled');
});

it('asks for a source, and refuses unverified events', () => {
  expect(replayFilterReason({})).toContain('Choose a source');
  expect(replayFilterReason({ sourceId: 's', q: 'e' })).toContain('clear the search');
  expect(replayFilterReason({ sourceId: 's', eventType: 'push' })).toContain('clear the type');
  expect(replayFilterReason({ sourceId: 's', verified: 'false' })).toContain('Unverified');
  expect(replayFilterReason({ sourceId: 's', verified: 'true' })).toBeUndefined();
});

it('counts the matching events, and says when there are more', () => {
  expect(describeMatching(12, false)).toBe('12 matching');
  expect(describeMatching(1250, true)).toBe('1,250+ matching');
});

it.each([
  [0, 0, 100],
  [0, 3, 0],
  [2, 3, 66],
  [3, 3, 100],
  [4, 3, 100],
])('shows %d of %d as %d %%', (replayed, total, percent) => {
  expect(percentOf({ replayed, total })).toBe(percent);
});
