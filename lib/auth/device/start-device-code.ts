import type { AnonymousCaller } from '@/lib/audit/caller';
import type { DeviceCodes, StartDeviceBody } from '@/lib/auth/schema';
import { storedUserAgent } from '@/lib/auth/sessions';
import { config } from '@/lib/platform/config/config';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { enforceRateLimits } from '@/lib/platform/rate-limit';
import { insertCode } from './device-sql';
import { formatUserCode, hashUserCode, newUserCode } from './user-code';

const LIFETIME_SECONDS = 600;
const INTERVAL_SECONDS = 5;
/** Anyone may start: the limit bounds the table, and the number of live codes a guess could hit. */
const STARTS = { name: 'device-start', points: 120, windowSeconds: 600 };
/** Out of 25.6 billion codes at most a few thousand are stored: two collisions in a row do not happen by chance. */
const MAX_DRAWS = 5;

/**
 * Starts a device sign-in: one code for the client to poll with, one for the person to type. Both are stored as
 * hashes.
 *
 * @param drawUserCode generates user codes without the dash
 * @throws AppError rate_limited
 */
export async function startDeviceCode(
  caller: AnonymousCaller,
  body: StartDeviceBody,
  drawUserCode: () => string = newUserCode,
): Promise<DeviceCodes> {
  const { client } = caller;
  await enforceRateLimits([{ ...STARTS, key: client.ipAddress ?? 'unknown' }], client);
  const deviceCode = randomToken();
  const row = [newId(), sha256(deviceCode), body.clientName ?? null, client.ipAddress, storedUserAgent(client)];
  const userCode = formatUserCode(await insertWithFreeUserCode(row, drawUserCode));
  const verificationUri = `${config().baseUrl}/device`;
  return {
    deviceCode,
    userCode,
    verificationUri,
    verificationUriComplete: `${verificationUri}?userCode=${userCode}`,
    expiresIn: LIFETIME_SECONDS,
    interval: INTERVAL_SECONDS,
  };
}

/** Draws user codes until one is unused, stores it and returns it. */
async function insertWithFreeUserCode(row: unknown[], drawUserCode: () => string): Promise<string> {
  for (let draw = 0; draw < MAX_DRAWS; draw++) {
    const userCode = drawUserCode();
    const values = [...row, hashUserCode(userCode), INTERVAL_SECONDS, LIFETIME_SECONDS];
    const stored = await insertCode.run(database(), ...values);
    if (stored === 1) return userCode;
  }
  throw new Error(`no free user code in ${MAX_DRAWS} draws`);
}
