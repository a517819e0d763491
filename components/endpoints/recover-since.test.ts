import { expect, it } from 'vitest';
import { recoverChoices } from './recover-since';

const NOW = new Date('2026-01-08T12:00:00.000Z');
const TIME = '2026-01-07T00:00:00.000Z';
const valuesOf = (endpoint: Parameters<typeof recoverChoices>[0]) =>
  recoverChoices(endpoint, NOW).map(({ value }) => value);

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
