import path from 'node:path';
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

const fileIn = (folder: string) => path.join(folder, 'credentials.json');

/** Reads the credentials of a profile; null when it has none that can be used. */
export function readCredentials(folder: string, profile: string): Credentials | null {
  const all = readJsonFile(fileIn(folder));
  const found = Object.hasOwn(all, profile) ? all[profile] : null;
  return isCredentials(found) ? found : null;
}

/** Replaces the credentials of a profile; null removes them. The caller holds the lock of the configuration. */
export function writeCredentials(folder: string, profile: string, credentials: Credentials | null): void {
  const { [profile]: _replaced, ...others } = readJsonFile(fileIn(folder));
  writeJsonFile(fileIn(folder), credentials === null ? others : { ...others, [profile]: credentials });
}

/**
 * Writes the credentials as they are. Called before the server gives out what exists only once: if it could not be stored, the
 * person would have to sign in again. The caller holds the lock of the configuration.
 * @throws CliError when the file is damaged or cannot be written
 */
export function proveWritable(folder: string): void {
  writeJsonFile(fileIn(folder), readJsonFile(fileIn(folder)));
}

function isCredentials(value: unknown): value is Credentials {
  if (typeof value !== 'object' || value === null) return false;
  const given = value as Record<string, unknown>;
  const texts = given.kind === 'session' ? ['accessToken', 'refreshToken', 'email'] : ['apiKey'];
  if (!['url', ...texts].every((name) => typeof given[name] === 'string')) return false;
  return given.kind === 'key' || (given.kind === 'session' && typeof given.accessTokenExpiresAt === 'number');
}
