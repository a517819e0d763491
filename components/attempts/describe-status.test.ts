import { describe, expect, it } from 'vitest';
import { describeOutcome, describeReason, describeStatus } from './describe-status';

it('a status has its name beside it, and is alone without a known one', () => {
  expect([200, 404, 500, 599].map(describeStatus)).toEqual([
    '200 OK',
    '404 Not Found',
    '500 Internal Server Error',
    '599',
  ]);
});

it('a reason of the API names its status', () => {
  expect(describeReason('Answered with status 500')).toBe('500 Internal Server Error');
  expect(describeReason('TLS certificate expired')).toBe('TLS certificate expired');
});

describe('the outcome of an attempt', () => {
  it('is the status that was answered', () => {
    expect(describeOutcome({ responseStatus: 200, error: null })).toBe('200 OK');
    expect(describeOutcome({ responseStatus: 503, error: 'Answered with status 503' })).toBe('503 Service Unavailable');
  });

  it('is the status and the reason when the status alone does not explain the failure', () => {
    const redirect = { responseStatus: 302, error: 'Answered with status 302: redirects are not followed' };
    expect(describeOutcome(redirect)).toBe('302 Found: redirects are not followed');
    const cutOff = { responseStatus: 200, error: 'Connection closed before the response was complete' };
    expect(describeOutcome(cutOff)).toBe('200 OK: Connection closed before the response was complete');
  });

  it('is the reason without a response', () => {
    expect(describeOutcome({ responseStatus: null, error: 'No response within 15 s' })).toBe('No response within 15 s');
    expect(describeOutcome({ responseStatus: null, error: null })).toBe('No response');
  });
});
