import { expect, it } from 'vitest';
import { readArguments } from './arguments';

it('reads the target, and which tunnel to connect', () => {
  expect(readArguments(['8080'])).toMatchObject({ takeover: false, tunnelId: null });
  expect(readArguments(['8080', '--tunnel', 'an-id', '--takeover'])).toMatchObject({
    takeover: true,
    tunnelId: 'an-id',
  });
});

it.each([[], ['8080', '8081'], ['8080', '--unknown'], ['8080', '--tunnel'], ['shop']].map((args) => [args]))(
  'refuses %j',
  (args) => {
    expect(readArguments(args)).toBeNull();
  },
);
