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

/** A client's poll, read as the session it hopes for. */
export const poll = (deviceCode: string) => call<SignedIn>('POST', `${DEVICE}/token`, { body: { deviceCode } });

/** A client's poll, read as a refusal. */
export const pollRefused = (deviceCode: string) => call('POST', `${DEVICE}/token`, { body: { deviceCode } });

/** Lets time pass for a code. */
export async function ageDeviceCode(code: { deviceCode: string }, set: string): Promise<void> {
  await database().query(`UPDATE device_codes SET ${set} WHERE device_code_hash = $1`, [sha256(code.deviceCode)]);
}
