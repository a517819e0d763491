import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { DeviceCodes, SignedIn } from '@/lib/auth/schema';
import type { SessionCredentials } from '@/lib/cli/config/credentials';
import { call } from '@/tests/http/api-request';
import type { Eds } from './eds';

/** Gives `eds` a session of a person, as `eds login` does. @returns the session as it is stored */
export async function signIn(
  eds: Eds,
  url: string,
  person: { accessToken: string },
  profile = 'default',
): Promise<SessionCredentials> {
  const codes = await call<DeviceCodes>('POST', '/api/v1/auth/device/code', { body: { clientName: 'test' } });
  const bearer = person.accessToken;
  await call('POST', '/api/v1/auth/device/approve', { bearer, body: { userCode: codes.json.userCode } });
  const { deviceCode } = codes.json;
  const made = await call<SignedIn>('POST', '/api/v1/auth/device/token', { body: { deviceCode } });
  expect(made.status, made.text).toBe(200);
  const { accessToken, expiresIn, refreshToken = '', user, organization } = made.json;
  const session: SessionCredentials = {
    kind: 'session',
    url,
    accessToken,
    accessTokenExpiresAt: Date.now() + expiresIn * 1000,
    refreshToken,
    email: user.email,
    organizationId: organization?.id ?? null,
  };
  mkdirSync(eds.folder, { recursive: true });
  writeFileSync(path.join(eds.folder, 'credentials.json'), JSON.stringify({ [profile]: session }), { mode: 0o600 });
  return session;
}
