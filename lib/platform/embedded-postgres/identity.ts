import { type SpawnOptions, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { EmbeddedPostgresError } from './settings';

const USER = 'postgres';

/** The user that PostgreSQL runs as: it refuses to run as root. */
export interface Identity {
  /** Set when this process is root. */
  uid?: number;
  gid?: number;
  /** A command prefix that assumes the identity and then executes the program. */
  launcher: string[];
}

/**
 * Chooses the identity: the current user; for root, the owner of the existing database, or the system user "postgres",
 * which is created if it is missing. That user cannot reach programs and data below a private folder such as /root; the
 * server then gets the one capability to pass through folders.
 *
 * @throws EmbeddedPostgresError when none of these works
 */
export function chooseIdentity(postgres: string, dataDir: string, onNotice: (line: string) => void): Identity {
  if (process.getuid?.() !== 0) return { launcher: [] };
  const ids = findOwner(path.join(dataDir, 'postgres')) ?? findUser() ?? makeUser(onNotice);
  const plain: Identity = { ...ids, launcher: [] };
  if (canReach(plain, postgres, dataDir)) return plain;
  // Containers without the first capability have the second, which allows more.
  for (const capability of ['dac_read_search', 'dac_override']) {
    const capable = { ...ids, launcher: launcherFor(ids, capability) };
    if (canReach(capable, postgres, dataDir)) return capable;
  }
  throw new EmbeddedPostgresError(
    `DATA_DIR: ${dataDir} and the project must be reachable for the user "${USER}", which runs PostgreSQL because it ` +
      'refuses root: move both out of the private folder, run as another user, or set DATABASE_URL.',
  );
}

/**
 * Returns the command and options that run a program as the identity. The server gets its own environment, without the
 * service's secrets.
 */
export function runAs(identity: Identity, program: string, args: string[]): [string, string[], SpawnOptions] {
  const own = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv;
  const env = process.platform === 'win32' ? undefined : own;
  const [command, ...flags] = identity.launcher;
  if (command !== undefined) return [command, [...flags, program, ...args], { env, cwd: '/' }];
  if (identity.uid === undefined) return [program, args, { env }];
  return [program, args, { env, cwd: '/', uid: identity.uid, gid: identity.gid }];
}

type Ids = Required<Pick<Identity, 'uid' | 'gid'>>;

function findOwner(folder: string): Ids | null {
  const stat = fs.statSync(folder, { throwIfNoEntry: false });
  return stat === undefined || stat.uid === 0 ? null : { uid: stat.uid, gid: stat.gid };
}

function findUser(): Ids | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const result = spawnSync('id', [flag, USER], { encoding: 'utf8' });
    return result.status === 0 ? Number(result.stdout) : undefined;
  });
  return uid === undefined || gid === undefined ? null : { uid, gid };
}

function makeUser(onNotice: (line: string) => void): Ids {
  const flags = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', USER];
  const result = spawnSync('useradd', flags, { encoding: 'utf8' });
  const ids = findUser();
  if (ids === null) {
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses root, and a user "${USER}" for it cannot be made (${(result.error?.message ?? result.stderr).trim()}): ` +
        'run as another user, or set DATABASE_URL.',
    );
  }
  onNotice(`Made the system user "${USER}": PostgreSQL refuses to run as root`);
  return ids;
}

/** Without no_setuid_fixup the kernel ignores the capability in access(), with which PostgreSQL looks for its programs. */
function launcherFor(ids: Ids, capability: string): string[] {
  const caps = [
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=-all,+${capability}`,
    '--securebits=+no_setuid_fixup',
  ];
  return ['setpriv', `--reuid=${ids.uid}`, `--regid=${ids.gid}`, '--clear-groups', ...caps, '--'];
}

function canReach(identity: Identity, postgres: string, dataDir: string): boolean {
  const script = ['-c', 'cd "$1" && exec "$2" --version', 'sh', dataDir, postgres];
  const [command, args, options] = runAs(identity, '/bin/sh', script);
  return spawnSync(command, args, options).status === 0;
}
