import { expect, it } from 'vitest';
import { describeFirstWait } from './describe-wait';

it('says that a delivery waits for the rate limit of its endpoint, if it has one', () => {
  const limit = 'Waits for the endpoint’s rate limit of';
  expect(describeFirstWait({ requests: 10, seconds: 60 })).toBe(`${limit} 10 per minute`);
  expect(describeFirstWait({ requests: 2, seconds: 10 })).toBe(`${limit} 2 in 10 s`);
  expect(describeFirstWait({ requests: 5, seconds: 1 })).toBe(`${limit} 5 per second`);
  expect(describeFirstWait({ requests: 5, seconds: 3600 })).toBe(`${limit} 5 per hour`);
  expect(describeFirstWait(null)).toBe('Waiting for the first attempt');
});
