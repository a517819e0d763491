import path from 'node:path';
import { readJsonFile, writeJsonFile } from './json-file';

export const DEFAULT_PROFILE = 'default';
export const DEFAULT_URL = 'http://localhost:3000';
/** Names that are safe in a file and on a command line. */
export const PROFILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A server, and the project that commands use there. */
export interface Profile {
  url?: string;
  organizationId?: string;
  projectId?: string;
}

/** What `eds config` shows: nothing in it is secret. */
export interface Settings {
  /** The profile that commands use. */
  current: string;
  profiles: Record<string, Profile>;
}

const fileIn = (folder: string) => path.join(folder, 'config.json');

/** Reads the settings. Ignores what it does not understand: a newer version may have written it. */
export function readSettings(folder: string): Settings {
  const { current, profiles } = readJsonFile(fileIn(folder));
  return {
    current: typeof current === 'string' && PROFILE_NAME.test(current) ? current : DEFAULT_PROFILE,
    profiles: Object.fromEntries(entriesOf(profiles).map(([name, value]) => [name, readProfile(value)])),
  };
}

/** Replaces the settings. The caller holds the lock of the configuration. */
export function writeSettings(folder: string, settings: Settings): void {
  writeJsonFile(fileIn(folder), settings);
}

function readProfile(value: unknown): Profile {
  const given = Object.fromEntries(entriesOf(value));
  const names = ['url', 'organizationId', 'projectId'] as const;
  return Object.fromEntries(names.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]]] : [])));
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
