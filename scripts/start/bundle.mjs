import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';

/** @type {import('esbuild').BuildOptions} */
const OPTIONS = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  packages: 'external',
  outExtension: { '.js': '.mjs' },
  keepNames: true,
  logLevel: 'silent',
};

/**
 * Bundles entries into .build/<name>.mjs.
 *
 * @param {string[]} entries paths from the root
 */
export async function bundleEntries(entries) {
  await build({ ...OPTIONS, entryPoints: entries, outdir: '.build' });
  // The compiler is a process of its own, and would stay beside a service that runs for weeks.
  await stop();
}

/**
 * Bundles an entry and imports it, in a file of this process alone, since two may start at once.
 *
 * @param {string} entry path from the root
 */
export async function importEntry(entry) {
  const file = path.resolve('.build', `now-${process.pid}.mjs`);
  await build({ ...OPTIONS, entryPoints: [entry], outfile: file });
  await stop();
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    fs.rmSync(file, { force: true });
  }
}
