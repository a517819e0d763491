import { privateHeaders } from '@/lib/http/private-headers';
import { SECOND_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { sendThroughNext } from './adapters';
import { callOver, type Problem, type TestResponse } from './api-request';

const call = callOver(sendThroughNext);

/** Tries to sign in; `from` is the IP address of the client. */
export function tryLogin(email: string, password: string, from = '203.0.113.7'): Promise<TestResponse<Problem>> {
  const headers = privateHeaders({ clientAddress: from, requestId: newId() });
  return call('POST', '/api/v1/auth/login', { body: { email, password }, headers });
}

/** Returns the Retry-After of a response, in seconds. */
export function retryAfterOf({ headers }: Pick<TestResponse<unknown>, 'headers'>): number {
  return Number(headers['retry-after']);
}

/** Moves all counters of sign-ins into the past, as if this time had passed. */
export async function passTime(seconds: number): Promise<void> {
  await database().query('UPDATE rate_limits SET expire = expire - $1::bigint', [seconds * SECOND_MS]);
  await database().query(
    `UPDATE login_lockouts SET last_failed_at = last_failed_at - $1 * interval '1 second',
       failed_at = (SELECT array_agg(at - $1 * interval '1 second' ORDER BY at) FROM unnest(failed_at) AS at),
       locked_until = locked_until - $1 * interval '1 second'`,
    [seconds],
  );
}
