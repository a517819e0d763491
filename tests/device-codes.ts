import { expect } from 'vitest';
import type { DeviceCodes, SignedIn } from '@/lib/auth/schema';
import { sha256 } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import { call } from './api-request';
import type { TestPerson } from './people';

export const DEVICE = '/api/v1/auth/device';

/** Starts a sign-in by device code, as a client does. */
export async function startDevice(clientName?: string): Promise<DeviceCodes> {
  const answer = await call<DeviceCodes>('POST', `${DEVICE}/code`, { body: { clientName } });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

export const approve = (person: TestPerson, userCode: string) =>
  call('POST', `${DEVICE}/approve`, { bearer: person.accessToken, body: { userCode } });

export const deny = (person: TestPerson, userCode: string) =>
  call('POST', `${DEVICE}/deny`, { bearer: person.accessToken, body: { userCode } });

/** Polls as the client, and reads the response as a session. */
export const poll = (deviceCode: string) => call<SignedIn>('POST', `${DEVICE}/token`, { body: { deviceCode } });

/** Polls as the client, and reads the response as a problem. */
export const pollRefused = (deviceCode: string) => call('POST', `${DEVICE}/token`, { body: { deviceCode } });

/** Changes the times of a code with an SQL assignment, as if time had passed. */
export async function ageDeviceCode(code: { deviceCode: string }, set: string): Promise<void> {
  await database().query(`UPDATE device_codes SET ${set} WHERE device_code_hash = $1`, [sha256(code.deviceCode)]);
}
