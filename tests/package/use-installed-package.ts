import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Ended, installPackage, PACKAGE_NAME, runIn } from './install-package';

/** A project with the npm package of the client, for the tests of a file. */
export interface InstalledPackage {
  /** The folder of the project. */
  readonly folder: string;
  /** The folder of the package. */
  readonly packageFolder: string;
  /** Runs a program in the project. */
  run(command: readonly string[], environment?: Record<string, string>): Promise<Ended>;
}

/** Installs the npm package in an empty project before the tests of a file, and removes it after them. */
export function useInstalledPackage(): InstalledPackage {
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'eds-package-'));
    await installPackage(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    get folder() {
      return folder;
    },
    get packageFolder() {
      return path.join(folder, 'node_modules', PACKAGE_NAME);
    },
    run: (command, environment) => runIn(folder, command, environment),
  };
}
