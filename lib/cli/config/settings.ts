import os from 'node:os';
import path from 'node:path';
import { CliError, EXIT } from '@/lib/cli/cli-error';
import { withConfigLock } from './config-lock';
import { readJsonFile, writeJsonFile } from './json-file';

/** The home that Debian gives to users without one: nothing can be read or written there. */
const NO_HOME = '/nonexistent';

export const DEFAULT_PROFILE = 'default';
const DEFAULT_URL = 'http://localhost:3000';
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

/** Returns the URL of the server without a slash at its end. @throws CliError when it cannot be used */
export function serverUrl(env: Readonly<Record<string, string | undefined>>, profile: Profile, given?: string): string {
  const name = given !== undefined ? '--url' : env.EDS_API_URL ? 'EDS_API_URL' : 'The URL of the profile';
  const text = given ?? (env.EDS_API_URL || profile.url || DEFAULT_URL);
  const url = URL.canParse(text) ? new URL(text) : null;
  const isUsable =
    url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (isUsable) return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  throw new CliError(`${name} isn’t the URL of a server: ${text}`, 'invalid_url', {
    exitCode: EXIT.usage,
    next: 'Give it as https://events.example.com.',
  });
}

/** Whether others on the network can read what is sent to a server. */
export const isUnencrypted = (url: string) => /^http:\/\/(?!localhost[:/]|127\.|\[::1\])/i.test(`${url}/`);

function readProfile(value: unknown): Profile {
  const given = Object.fromEntries(entriesOf(value));
  const names = ['url', 'organizationId', 'projectId'] as const;
  return Object.fromEntries(names.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]]] : [])));
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** Changes what the profile of the command keeps, and creates it if needed. Undefined removes a value. */
export function changeProfile(
  { folder, profileName, terminal }: { folder: string; profileName: string; terminal: { env: NodeJS.ProcessEnv } },
  change: Partial<Profile>,
): Promise<void> {
  return withConfigLock(folder, async () => {
    const settings = readSettings(folder);
    const { profiles } = settings;
    const stored = Object.hasOwn(profiles, profileName) ? (profiles[profileName] ?? {}) : {};
    const profile = { url: serverUrl(terminal.env, stored, change.url), ...stored, ...change };
    writeSettings(folder, { ...settings, profiles: { ...profiles, [profileName]: profile } });
  });
}

/**
 * Returns the folder of the configuration: EDS_CONFIG_DIR, else `eds` in XDG_CONFIG_HOME (XDG Base Directory), in %APPDATA% on
 * Windows, or in ~/.config.
 */
export function configFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (env.EDS_CONFIG_DIR) return path.resolve(env.EDS_CONFIG_DIR);
  // XDG: a path that is not absolute is ignored.
  if (env.XDG_CONFIG_HOME && path.isAbsolute(env.XDG_CONFIG_HOME)) return path.join(env.XDG_CONFIG_HOME, 'eds');
  if (platform === 'win32' && env.APPDATA) return path.join(env.APPDATA, 'eds');
  return path.join(homeFolder(env), '.config', 'eds');
}

/** Never a relative path: the folder that a command runs in may be somebody else's repository. */
function homeFolder({ HOME = '' }: NodeJS.ProcessEnv): string {
  if (path.isAbsolute(HOME)) return HOME;
  try {
    const { homedir } = os.userInfo();
    return path.isAbsolute(homedir) ? homedir : NO_HOME;
  } catch {
    // A container may run as a user that its system does not know.
    return NO_HOME;
  }
}
