import { randomInt } from 'node:crypto';
import type { PersonCaller } from '@/lib/audit/caller';
import { USER_CODE_LENGTH, USER_CODE_LETTERS } from '@/lib/auth/user-code-policy';
import { notFound } from '@/lib/platform/errors';
import { keyedHash } from '@/lib/platform/keyed-hash';
import { enforceRateLimits, refundRateLimits } from '@/lib/platform/rate-limit';

const FOLDED = new RegExp(`^[${USER_CODE_LETTERS}]{${USER_CODE_LENGTH}}$`);

/** Generates a user code without the dash: 8 out of 20 letters, about 34 bits. */
export function newUserCode(): string {
  return Array.from({ length: USER_CODE_LENGTH }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)]).join(
    '',
  );
}

/** Formats a user code for display: XXXX-XXXX. */
export function formatUserCode(userCode: string): string {
  return `${userCode.slice(0, USER_CODE_LENGTH / 2)}-${userCode.slice(USER_CODE_LENGTH / 2)}`;
}

/** Removes dashes, spaces and case from a typed code; null when it cannot be a user code. */
export function foldUserCode(typed: string): string | null {
  const folded = typed
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase();
  return FOLDED.test(folded) ? folded : null;
}

/** Hashes a user code for storage. Keyed: all 34 bits could be tried against a plain hash in seconds. */
export function hashUserCode(userCode: string): Buffer {
  return keyedHash(userCode, 'device user code');
}

const WRONG_BY_PERSON = { name: 'device-guess', points: 10, windowSeconds: 600 };
const WRONG_BY_IP = { name: 'device-guess-ip', points: 50, windowSeconds: 600 };

/**
 * Looks up a user code within the limits for wrong codes: 10 in 10 minutes per person, 50 per IP address (RFC 8628
 * section 5.1). A try is counted before the lookup, so parallel tries cannot pass the limit; a right code is
 * refunded.
 *
 * @param find returns null when no pending request has the code
 * @throws AppError not_found, rate_limited
 */
export async function limitGuesses<T>(caller: PersonCaller, find: () => Promise<T | null>): Promise<T> {
  const byPerson = { ...WRONG_BY_PERSON, key: caller.userId };
  const byIp = { ...WRONG_BY_IP, key: caller.client.ipAddress ?? 'unknown' };
  await enforceRateLimits([byPerson, byIp], caller.client);
  const found = await find();
  if (found === null) throw notFound('device code, or it was used or has expired');
  await refundRateLimits([byPerson, byIp], caller.client);
  return found;
}
