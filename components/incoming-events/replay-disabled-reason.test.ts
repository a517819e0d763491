import { expect, it } from 'vitest';
import { replayDisabledReason, replayFilterReason } from './replay-disabled-reason';

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
  expect(replayFilterReason({ sourceId: 's', id: 'e' })).toContain('ID filter');
  expect(replayFilterReason({ sourceId: 's', verified: 'false' })).toContain('Unverified');
  expect(replayFilterReason({ sourceId: 's', verified: 'true' })).toBeUndefined();
});
