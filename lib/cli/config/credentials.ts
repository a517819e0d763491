import path from 'node:path';
import { withConfigLock } from './config-lock';
import { readJsonFile, writeJsonFile } from './json-file';

/** A session of a person. */
export interface SessionCredentials {
  kind: 'session';
  /** The server that they are for: they are never sent to another one. */
  url: string;
  accessToken: string;
  /** Milliseconds since 1970, by the clock of this machine. */
  accessTokenExpiresAt: number;
  /** It can be used once. */
  refreshToken: string;
  email: string;
  organizationId: string | null;
}

/** The key of a project. */
export interface KeyCredentials {
  kind: 'key';
  url: string;
  apiKey: string;
}

export type Credentials = SessionCredentials | KeyCredentials;

const credentialsFile = (folder: string) => path.join(folder, 'credentials.json');

/** Reads the credentials of a profile; null when it has none that can be used. */
export function readCredentials(folder: string, profile: string): Credentials | null {
  const all = readJsonFile(credentialsFile(folder));
  const found = Object.hasOwn(all, profile) ? all[profile] : null;
  return isCredentials(found) ? found : null;
}

/** Replaces the credentials of a profile; null removes them. The caller holds the lock of the configuration. */
export function writeCredentials(folder: string, profile: string, credentials: Credentials | null): void {
  const { [profile]: _replaced, ...others } = readJsonFile(credentialsFile(folder));
  writeJsonFile(credentialsFile(folder), credentials === null ? others : { ...others, [profile]: credentials });
}

/**
 * Writes the credentials as they are. Called before the server gives out what exists only once: if it could not be stored, the
 * person would have to sign in again. The caller holds the lock of the configuration.
 * @throws CliError when the file is damaged or cannot be written
 */
export function proveWritable(folder: string): void {
  writeJsonFile(credentialsFile(folder), readJsonFile(credentialsFile(folder)));
}

function isCredentials(value: unknown): value is Credentials {
  if (typeof value !== 'object' || value === null) return false;
  const given = value as Record<string, unknown>;
  const texts = given.kind === 'session' ? ['accessToken', 'refreshToken', 'email'] : ['apiKey'];
  if (!['url', ...texts].every((name) => typeof given[name] === 'string')) return false;
  return given.kind === 'key' || (given.kind === 'session' && typeof given.accessTokenExpiresAt === 'number');
}

const keysFile = (folder: string) => path.join(folder, 'keys.json');
const nameOf = (url: string, projectId: string) => `${url} ${projectId}`;

/** Reads the key that `eds keys create --save` stored for a project of a server; null without one. */
export function readProjectKey(folder: string, url: string, projectId: string): string | null {
  const all = readJsonFile(keysFile(folder));
  const name = nameOf(url, projectId);
  const found = Object.hasOwn(all, name) ? all[name] : null;
  return typeof found === 'string' ? found : null;
}

/** Stores the key of a project, in place of an earlier one. */
export function saveProjectKey(folder: string, url: string, projectId: string, key: string): Promise<void> {
  return withConfigLock(folder, async () => {
    writeJsonFile(keysFile(folder), { ...readJsonFile(keysFile(folder)), [nameOf(url, projectId)]: key });
  });
}
