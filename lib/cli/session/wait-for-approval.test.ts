import { describe, expect, it } from 'vitest';
import type { SignedIn } from '@/lib/auth/schema';
import { ApiError, NetworkError } from '@/lib/client';
import { waitForApproval } from './wait-for-approval';

const SIGNED_IN = { accessToken: 'token' } as SignedIn;
const fault = (code: string, status = 400, retryAfterSeconds: number | null = null) =>
  new ApiError({ code, status, retryAfterSeconds, detail: 'No.', requestId: null, errors: [] });
const pending = fault('authorization_pending');

/** Polls with a fake clock. @returns the seconds of each wait, and the result */
async function poll(
  answers: (Error | SignedIn)[],
  codes: { interval: number; expiresIn: number } = { interval: 5, expiresIn: 600 },
) {
  let now = 1_000;
  const waits: number[] = [];
  const result = await waitForApproval(codes, {
    now: () => now,
    sleep: async (ms) => {
      waits.push(ms / 1000);
      now += ms;
    },
    exchange: async () => {
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) throw answer;
      return answer as SignedIn;
    },
  }).catch((error: unknown) => error);
  return { waits, result };
}

describe('polling for an approval', () => {
  it('waits for the interval before each poll, and 5 s longer after each slow_down', async () => {
    const answers = [pending, fault('slow_down'), pending, fault('slow_down'), pending, SIGNED_IN];
    expect(await poll(answers)).toEqual({ waits: [5, 5, 10, 10, 15, 15], result: SIGNED_IN });
  });

  it('continues after faults of the network and of a server that restarts', async () => {
    const answers = [
      new NetworkError('reset', 'ECONNRESET'),
      fault('unavailable', 503),
      fault('unexpected_response', 502),
    ];
    expect(await poll([...answers, SIGNED_IN])).toEqual({ waits: [5, 5, 5, 5], result: SIGNED_IN });
  });

  it('waits as long as a server with too many requests says', async () => {
    expect(await poll([fault('rate_limited', 429, 40), SIGNED_IN])).toEqual({ waits: [5, 40], result: SIGNED_IN });
  });

  it('ends when the code has expired, by the clock or by the server', async () => {
    const { waits, result } = await poll([pending], { interval: 5, expiresIn: 16 });
    expect([waits, result]).toEqual([
      [5, 5, 5],
      expect.objectContaining({ message: expect.stringContaining('expired') }),
    ]);
    const told = await poll([fault('expired_token')]);
    expect([told.waits, told.result]).toEqual([[5], result]);
  });

  it.each(['access_denied', 'invalid_grant'])('ends with %s, and says what to do', async (code) => {
    const { waits, result } = await poll([fault(code)]);
    expect([waits, result]).toEqual([
      [5],
      expect.objectContaining({ fields: expect.objectContaining({ code, next: 'eds login' }) }),
    ]);
  });

  it('ends with an error that polling cannot mend', async () => {
    const error = fault('internal_error', 500);
    expect(await poll([error, SIGNED_IN])).toEqual({ waits: [5], result: error });
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e12, '5' as unknown as number])(
    'never polls faster than each second, whatever interval a server sends: %s',
    async (interval) => {
      const { waits } = await poll([pending, SIGNED_IN], { interval, expiresIn: 1e9 });
      expect(waits.every((seconds) => seconds >= 1 && seconds <= 3_600)).toBe(true);
    },
  );
});
