import { rmSync } from 'node:fs';
import { INSTALLED_FOLDER } from './client-from-package.mjs';
import { installPackage } from './install-package';

/** Installs the npm package once for the tests of a run, and removes it after them. */
export default async function setup(): Promise<() => void> {
  await installPackage(INSTALLED_FOLDER);
  return () => rmSync(INSTALLED_FOLDER, { recursive: true, force: true });
}
