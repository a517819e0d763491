import { describe, expect, it } from 'vitest';
import {
  DELIVERY_STATE_LABELS,
  DELIVERY_STATES,
  DELIVERY_STATUS_FILTERS,
  deliveryStateOf,
  storedStatusOf,
} from './delivery-state-policy';

describe('the state of a delivery', () => {
  it.each([
    ['PENDING', 0, 'QUEUED'],
    ['PENDING', 1, 'RETRYING'],
    ['PENDING', 9, 'RETRYING'],
    ['SUCCEEDED', 1, 'SUCCEEDED'],
    ['FAILED', 10, 'FAILED'],
  ] as const)('of a %s delivery with %i attempts is %s', (status, attemptCount, state) => {
    expect(deliveryStateOf({ status, attemptCount })).toBe(state);
  });

  it('has a word of its own', () => {
    expect(new Set(DELIVERY_STATES.map((state) => DELIVERY_STATE_LABELS[state])).size).toBe(DELIVERY_STATES.length);
  });
});

describe('a filter by state', () => {
  const STORED = [
    { status: 'PENDING', attemptCount: 0 },
    { status: 'PENDING', attemptCount: 2 },
    { status: 'SUCCEEDED', attemptCount: 1 },
    { status: 'FAILED', attemptCount: 3 },
  ] as const;

  it.each(DELIVERY_STATUS_FILTERS)('%s selects the deliveries in that state and no others', (filter) => {
    const { status, hasAttempts } = storedStatusOf(filter);
    const selected = STORED.filter(
      (row) => row.status === status && (hasAttempts === null || row.attemptCount > 0 === hasAttempts),
    );
    const expected = filter === 'PENDING' ? ['QUEUED', 'RETRYING'] : [filter];
    expect(selected.map(deliveryStateOf)).toEqual(expected);
  });

  it('selects every delivery when it is absent', () => {
    expect(storedStatusOf(undefined)).toEqual({ status: null, hasAttempts: null });
  });
});
