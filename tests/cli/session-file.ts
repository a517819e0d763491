import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionCredentials } from '@/lib/cli/config/credentials';
import type { Eds } from './eds';

/** The file with the credentials of `eds`. */
export const credentialsFile = (eds: Eds) => path.join(eds.folder, 'credentials.json');

/** Reads the stored session. @throws when the file is damaged */
export function readSession(eds: Eds, profile = 'default'): SessionCredentials {
  return JSON.parse(readFileSync(credentialsFile(eds), 'utf8'))[profile];
}

/** Changes the stored session behind the back of `eds`. */
export function changeSession(eds: Eds, change: Partial<SessionCredentials>, profile = 'default'): void {
  const changed = { ...readSession(eds, profile), ...change };
  writeFileSync(credentialsFile(eds), JSON.stringify({ [profile]: changed }), { mode: 0o600 });
}

/** Makes `eds` refresh the session at its next request. */
export const expireSession = (eds: Eds) => changeSession(eds, { accessTokenExpiresAt: Date.now() - 1_000 });

/** Stores a session that no server has issued. */
export function storeSession(eds: Eds, url: string, fields: Partial<SessionCredentials> = {}): void {
  const session: SessionCredentials = {
    kind: 'session',
    url,
    accessToken: 'an-access-token',
    accessTokenExpiresAt: Date.now() + 600_000,
    refreshToken: 'a-refresh-token',
    email: 'ada@example.com',
    organizationId: null,
    ...fields,
  };
  writeFileSync(credentialsFile(eds), JSON.stringify({ default: session }), { mode: 0o600 });
}
