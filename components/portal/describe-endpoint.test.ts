import { describe, expect, it } from 'vitest';
import { describeEventTypes, describeHealth } from './describe-endpoint';

const NOW = new Date('2026-11-27T12:00:00Z');
const WORKING = {
  enabled: true,
  disabledReason: null,
  pauseReason: null,
  failingSince: null,
  eventTypeCount: 1,
  lastDeliveryAt: '2026-11-27T11:00:00Z',
};

describe('how an endpoint fares', () => {
  it.each([
    [{}, 'Working', null],
    [{ failingSince: '2026-11-27T10:00:00Z' }, 'Failing', /^Requests have failed for 2 h\. We keep trying\.$/],
    [{ failingSince: '2026-11-27T11:59:58Z' }, 'Failing', /^The last request failed\. We/],
    [{ lastDeliveryAt: null }, 'Ready', /Nothing was sent yet/],
    [{ eventTypeCount: 0 }, 'Gets no events', /No events are chosen/],
    [{ enabled: false }, 'Paused', /^Nothing is sent until it is resumed\.$/],
    [{ enabled: false, pauseReason: 'Maintenance' }, 'Paused', /Reason: Maintenance/],
    [{ enabled: false, disabledReason: 'gone' }, 'Turned off', /410 Gone/],
    [{ enabled: false, disabledReason: 'failing', failingSince: '2026-11-20T10:00:00Z' }, 'Turned off', /five days/],
  ])('is a word, and a sentence where there is something to know: %j', (change, word, sentence) => {
    const health = describeHealth({ ...WORKING, ...change }, NOW);
    expect(health.word).toBe(word);
    if (sentence === null) expect(health.sentence).toBeNull();
    else expect(health.sentence).toMatch(sentence);
  });
});

it('the events of an endpoint are named, the first three of many', () => {
  const of = (eventTypes: string[], eventTypeCount = eventTypes.length) =>
    describeEventTypes({ eventTypes, eventTypeCount });
  expect(of([])).toBe('No events');
  expect(of(['*', 'order.*'])).toBe('All events');
  expect(of(['a', 'b'])).toBe('a, b');
  expect(of(['a', 'b', 'c'], 5)).toBe('a, b, c and 2 more');
});
