import { describe, expect, it, vi } from 'vitest';
import { changed } from '@/components/form/changed';
import { showTimesIn, toTimeInput } from '@/components/ui/time-zone';
import type { Subscription } from '@/lib/delivery/schema';
import { describeRetrySeconds, parseRetrySeconds, targetBodyOf, targetValuesOf } from './endpoint-fields';
import { recoverChoices, timeOf } from './recover-form';
import { parseTestData } from './send-test-card';
import { splitUrl } from './target-url';
import { subscriptionChoices } from './type-choice';

describe('a retry schedule', () => {
  it.each([
    ['', []],
    ['  ', []],
    ['5, 300,1800', [5, 300, 1800]],
    ['5 300', [5, 300]],
  ])('reads %j as %j', (text, seconds) => {
    expect(parseRetrySeconds(text)).toEqual(seconds);
  });

  it.each(['five', '5, x', '-5', '0', '1.5', '1e3', '5; 6'])('returns null for %j', (text) => {
    expect(parseRetrySeconds(text)).toBeNull();
  });

  it('describes a schedule', () => {
    expect(describeRetrySeconds([5, 300])).toBe('After 5 s, 5 min');
  });
});

describe('the form of an endpoint', () => {
  it('sends only what the person changed', () => {
    const shown = targetValuesOf({
      url: 'https://a.example/',
      description: null,
      enabled: true,
      retrySeconds: [5, 300],
    });
    const changeOf = (edits: Partial<typeof shown>) =>
      changed(targetBodyOf({ ...shown, ...edits }), targetBodyOf(shown));
    expect(changeOf({ description: 'Billing' })).toEqual({ description: 'Billing' });
    expect(changeOf({ url: ' https://b.example/ ', enabled: false })).toEqual({
      url: 'https://b.example/',
      enabled: false,
    });
    expect(changeOf({ retrySeconds: '5 300' })).toEqual({});
    expect(changeOf({ retrySeconds: '' })).toEqual({ retrySeconds: [] });
  });
});

it('splits a URL into its origin and what tells it from others of that origin', () => {
  expect(splitUrl('http://127.0.0.1:4747/legacy-erp?v=1')).toEqual({
    origin: 'http://127.0.0.1:4747',
    path: '/legacy-erp?v=1',
  });
  expect(splitUrl('https://hooks.example.com/')).toEqual({ origin: 'https://hooks.example.com', path: '/' });
  expect(splitUrl('https://hooks.example.com')).toEqual({ origin: 'https://hooks.example.com', path: '' });
  expect(splitUrl('unreadable')).toEqual({ origin: 'unreadable', path: '' });
});

describe('the data of a test', () => {
  it('takes a JSON object', () => {
    expect(parseTestData(' {"a": [1, null]} ')).toEqual({ a: [1, null] });
    expect(parseTestData('{}')).toEqual({});
  });

  it.each(['', '[]', 'null', '"a"', '7', '{', '{a: 1}'])('refuses %j', (text) => {
    expect(parseTestData(text)).toBeNull();
  });
});

describe('when to recover from', () => {
  const NOW = new Date('2026-01-08T12:00:00.000Z');
  const TIME = '2026-01-07T00:00:00.000Z';
  const valuesOf = (endpoint: Parameters<typeof recoverChoices>[0]) =>
    recoverChoices(endpoint, NOW).map(({ value }) => value);

  it('reads a time in the zone that the field shows', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    const at = '2026-01-08T11:00:00.000Z';
    for (const zone of ['UTC', 'LOCAL'] as const) {
      showTimesIn(zone);
      expect(timeOf(toTimeInput(at))).toBe(at);
    }
    expect(timeOf('')).toBeNull();
    vi.unstubAllEnvs();
  });

  it('offers windows that end now, and a time to be entered', () => {
    const choices = recoverChoices({ disabledAt: null, failingSince: null }, NOW);
    expect(choices.map(({ value, from }) => [value, from])).toEqual([
      ['1h', '2026-01-08T11:00:00.000Z'],
      ['24h', '2026-01-07T12:00:00.000Z'],
      ['7d', '2026-01-01T12:00:00.000Z'],
      ['custom', null],
    ]);
  });

  it('offers when the endpoint was disabled, and when it began to fail', () => {
    expect(valuesOf({ disabledAt: TIME, failingSince: TIME })).toEqual([
      '1h',
      '24h',
      '7d',
      'failing',
      'disabled',
      'custom',
    ]);
    expect(recoverChoices({ disabledAt: TIME, failingSince: null }, NOW)).toContainEqual(
      expect.objectContaining({ value: 'disabled', from: TIME }),
    );
  });
});

describe('what an endpoint can receive', () => {
  const to = (eventType: string, enabled = true) => ({ eventType, enabled }) as Subscription;
  const shown = (seen: string[], subscriptions: Subscription[]) =>
    subscriptionChoices(seen, subscriptions).map(({ eventType, isChecked, includedIn }) => [
      eventType,
      isChecked,
      includedIn,
    ]);

  it('offers everything, then the patterns that are subscribed to, then the types that were seen', () => {
    expect(shown(['user.created', 'order.paid'], [to('order.*'), to('invoice.due', false)])).toEqual([
      ['*', false, null],
      ['order.*', true, null],
      ['invoice.due', false, null],
      ['order.paid', true, 'order.*'],
      ['user.created', false, null],
    ]);
  });

  it('lets a type be changed unless only a pattern includes it', () => {
    const choices = subscriptionChoices(
      ['order.paid', 'order.sent', 'user.created'],
      [to('order.*'), to('order.paid')],
    );
    expect(choices.map(({ eventType, isFixed }) => [eventType, isFixed])).toEqual([
      ['*', false],
      ['order.*', false],
      ['order.paid', false],
      ['order.sent', true],
      ['user.created', false],
    ]);
  });

  it('includes everything in *, and does not include order in order.*', () => {
    expect(shown(['order'], [to('*'), to('order.*')])).toEqual([
      ['*', true, null],
      ['order.*', true, '*'],
      ['order', true, '*'],
    ]);
    expect(shown(['order', 'orders.paid'], [to('order.*')]).map(([, , includedIn]) => includedIn)).toEqual(
      Array(4).fill(null),
    );
  });
});
