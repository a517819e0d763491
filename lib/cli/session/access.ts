import { CliError } from '@/lib/cli/cli-error';
import { readCredentials } from '@/lib/cli/config/credentials';
import { DEFAULT_URL, type Profile } from '@/lib/cli/config/settings';
import { EXIT } from '@/lib/cli/exit-codes';
import type { ClientOptions } from '@/lib/client';
import { repeatingExpired } from './authorized-fetch';
import { notSignedIn } from './not-signed-in';
import { SessionStore } from './session-store';

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

/** Returns the URL of the server without a slash at its end. @throws CliError when it cannot be used */
export function serverUrl(env: Readonly<Record<string, string | undefined>>, profile: Profile, given?: string): string {
  const name = given !== undefined ? '--url' : env.EDS_API_URL ? 'EDS_API_URL' : 'The URL of the profile';
  const text = given ?? (env.EDS_API_URL || profile.url || DEFAULT_URL);
  const url = URL.canParse(text) ? new URL(text) : null;
  const isUsable =
    url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (isUsable) return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  throw new CliError({
    message: `${name} isn’t the URL of a server: ${text}`,
    code: 'invalid_url',
    exitCode: EXIT.usage,
    next: 'Give it as https://events.example.com.',
  });
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
