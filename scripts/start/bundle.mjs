import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';

/**
 * Packages that go into the bundle: esbuild keeps only what is used, in one file, where Node would load a hundred. They have
 * no state, start no threads and read no files next to themselves. All other packages are loaded from node_modules.
 */
const BUNDLED = ['bowser', 'croner', 'ipaddr.js', 'jose', 'tldts', 'tldts-core', 'uuid', 'zod'];

/** @type {import('esbuild').Plugin} */
const LOAD_OTHER_PACKAGES = {
  name: 'load-other-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^@?\w/ }, ({ kind, path: name }) => {
      if (kind === 'entry-point' || BUNDLED.includes(name)) return undefined;
      return { path: name, external: true };
    });
  },
};

/** @type {import('esbuild').BuildOptions} */
export const OPTIONS = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  plugins: [LOAD_OTHER_PACKAGES],
  outExtension: { '.js': '.mjs' },
  logLevel: 'silent',
};

/**
 * Loads a module of Node when the module that imports it runs, which for `await import` may be never; `import` would load it at the
 * start. Drops what is not used of packages that do not say that they have no side effects.
 *
 * @type {import('esbuild').Plugin}
 */
const START_FAST = {
  name: 'start-fast',
  setup({ onLoad, onResolve, resolve }) {
    onResolve({ filter: /^node:/ }, ({ kind, path: name }) =>
      kind === 'require-call' ? { path: name, external: true } : { path: name, namespace: 'node-module' },
    );
    onLoad({ filter: /.*/, namespace: 'node-module' }, ({ path: name }) => ({
      contents: `module.exports = require(${JSON.stringify(name)})`,
    }));
    onResolve({ filter: /^(standardwebhooks|ws)$/ }, async ({ path: name, kind, resolveDir, pluginData }) => {
      if (pluginData === START_FAST.name) return undefined;
      const found = await resolve(name, { kind, resolveDir, pluginData: START_FAST.name });
      return { ...found, sideEffects: false };
    });
  },
};

/**
 * The command-line client: one file that needs nothing but Node. Its packages are CommonJS, which need a `require`.
 *
 * @type {import('esbuild').BuildOptions}
 */
export const EDS_OPTIONS = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  minify: true,
  plugins: [START_FAST],
  legalComments: 'inline',
  banner: {
    js: "#!/usr/bin/env node\nimport{createRequire}from'node:module';const require=createRequire(import.meta.url);",
  },
  logLevel: 'silent',
};

/**
 * Bundles the command-line client.
 *
 * @param {string} file
 * @returns {Promise<string[]>} the files that it is made of, from the root
 */
export async function bundleEds(file) {
  const options = { ...EDS_OPTIONS, entryPoints: ['scripts/eds.ts'], outfile: file, metafile: true };
  const { metafile } = await build(options);
  await stop();
  return Object.keys(metafile.inputs);
}

/**
 * Bundles entries into .build.
 *
 * @param {string[]} entries paths from the root
 */
export async function bundleEntries(entries) {
  const entryPoints = entries.map((entry) => ({ in: entry, out: nameOf(entry) }));
  await build({ ...OPTIONS, entryPoints, outdir: '.build' });
  // The compiler is a separate process that would live as long as this one.
  await stop();
}

/** The name of an entry's bundle: its path below scripts/ without the extension. */
function nameOf(entry) {
  return path.relative('scripts', entry).replace(/\.ts$/, '').replaceAll(path.sep, '-');
}

/**
 * Bundles an entry into a file that only this process uses, since two may start at once. In a read-only tree, such as a
 * container that runs as another user than its build, returns the file that bundleEntries has written.
 *
 * @param {string} entry path from the root
 * @returns {Promise<{file: string, isOwn: boolean}>} isOwn: the caller removes the file after the import
 */
export async function bundleTemporarily(entry) {
  const built = path.resolve('.build', `${nameOf(entry)}.mjs`);
  if (fs.existsSync(built) && !isWritable('.build')) return { file: built, isOwn: false };
  const file = path.resolve('.build', `now-${process.pid}.mjs`);
  await build({ ...OPTIONS, entryPoints: [entry], outfile: file });
  await stop();
  return { file, isOwn: true };
}

/**
 * Bundles an entry and imports it.
 *
 * @param {string} entry path from the root
 */
export async function importEntry(entry) {
  const { file, isOwn } = await bundleTemporarily(entry);
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    if (isOwn) fs.rmSync(file, { force: true });
  }
}

function isWritable(folder) {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
