import { notSignedIn } from '@/lib/cli/cli-error';
import { readCredentials } from '@/lib/cli/config/credentials';
import type { ClientOptions } from '@/lib/client';
import { parseObject, readText } from '@/lib/client/read-response';
import { SessionStore } from './session-store';

const MAX_PROBLEM_BYTES = 64 * 1024;

/** The credentials that a command sends. */
export type Access =
  | { kind: 'session'; session: SessionStore }
  | { kind: 'key'; apiKey: string }
  | { kind: 'operator'; token: string };

export interface AccessRequest {
  env: NodeJS.ProcessEnv;
  folder: string;
  profileName: string;
  url: string;
}

/**
 * Returns the access of a command: EDS_API_KEY first, then what the profile has stored for this server.
 * @throws CliError when there is none
 */
export function findAccess({ env, folder, profileName, url }: AccessRequest): Access {
  if (env.EDS_API_KEY) return { kind: 'key', apiKey: env.EDS_API_KEY.trim() };
  const stored = readCredentials(folder, profileName);
  if (stored === null || stored.url !== url) {
    const reason = stored === null ? undefined : `Profile ${profileName} is signed in to ${stored.url}.`;
    throw notSignedIn(`You aren’t signed in to ${url}.`, reason);
  }
  if (stored.kind === 'key') return { kind: 'key', apiKey: stored.apiKey };
  return { kind: 'session', session: new SessionStore(folder, profileName, url) };
}

/** Returns the options with which the client sends the credentials. */
export function credentialsFor(
  access: Access,
  send: typeof fetch,
): Pick<ClientOptions, 'apiKey' | 'accessToken' | 'fetch' | 'headers'> {
  if (access.kind === 'key') return { apiKey: access.apiKey, fetch: send };
  if (access.kind === 'operator') return { headers: { 'X-Platform-Admin-Token': access.token }, fetch: send };
  const { session } = access;
  return {
    accessToken: () => session.accessToken(),
    fetch: repeatingExpired(send, (rejected) => session.refresh(rejected)),
  };
}

/** Repeats a request once with another token when the server says that the token has expired: clocks may differ. */
function repeatingExpired(send: typeof fetch, refresh: (rejected: string) => Promise<string>): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const rejected = new Headers(init?.headers).get('authorization')?.replace(/^Bearer /, '');
    if (response.status !== 401 || rejected === undefined || !(await isExpired(response))) return response;
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${await refresh(rejected)}`);
    return await send(input, { ...init, headers });
  };
}

async function isExpired(response: Response): Promise<boolean> {
  const text = await readText(response.clone(), MAX_PROBLEM_BYTES).catch(() => null);
  return parseObject(text)?.code === 'token_expired';
}
