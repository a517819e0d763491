import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The project with the npm package that this test run installs. */
export const INSTALLED_FOLDER = path.join(os.tmpdir(), `eds-package-${process.pid}`);

/** The files of lib/client whose names the package exports. */
const PUBLIC = /^\.\/(?:client|errors|verify-signature)$/;

/**
 * Lists the tests of lib/client that use the client as its users do.
 *
 * @returns {string[]} paths from the root
 */
export function testsOfClient() {
  const tests = readdirSync('lib/client').filter((file) => file.endsWith('.test.ts'));
  const isPublic = (file) => / from '\.\/(?:client|verify-signature)';/.test(readFileSync(file, 'utf8'));
  return tests.map((file) => `lib/client/${file}`).filter(isPublic);
}

/**
 * Lets these tests import the installed package instead of the sources.
 *
 * @returns {import('vite').Plugin}
 */
export function clientFromPackage() {
  return {
    name: 'client-from-package',
    enforce: 'pre',
    resolveId(specifier, importer) {
      const isTest = /\/lib\/client\/[\w.-]+\.test\.ts$/.test(importer ?? '');
      if (!isTest || !PUBLIC.test(specifier)) return null;
      return path.join(INSTALLED_FOLDER, 'node_modules/event-delivery-client/index.js');
    },
    load(id) {
      if (/\/lib\/client\/(?:client|verify-signature)\.ts$/.test(id)) throw new Error(`${id} is a source`);
      return null;
    },
  };
}
