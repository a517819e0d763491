import fs, { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, stop } from 'esbuild';
import manifest from '@/package.json' with { type: 'json' };
import { EDS_OPTIONS } from '@/scripts/start/bundle.mjs';
import { runNpm } from '@/scripts/start/run-tool.mjs';
import { emitDeclarations } from './emit-declarations';

/** Sources, tests and source maps, which no program needs. A map would also name paths of its author's machine. */
const LEFT_OUT = /\.map$|\.(?:test|bench)\.|(?<!\.d)\.ts$|(?:^|[\\/])tsconfig\.json$/;

export const PACKAGE_NAME = 'event-delivery-client';
const DEPENDENCIES = ['standardwebhooks'] as const;

/** What the package says of itself. Its dependencies are in the tarball: a server may be all that a machine reaches. */
function packageManifest() {
  const { version, engines, dependencies } = manifest;
  return {
    name: PACKAGE_NAME,
    version,
    description: 'The client library of the Event Delivery Service, and its command line eds.',
    license: 'UNLICENSED',
    type: 'module',
    engines,
    sideEffects: false,
    exports: {
      '.': { types: './types/index.d.ts', default: './index.js' },
      './react': { types: './types/react.d.ts', default: './react.js' },
      './package.json': './package.json',
    },
    types: './types/index.d.ts',
    bin: { eds: 'eds.mjs' },
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, dependencies[name]])),
    bundleDependencies: DEPENDENCIES,
    // For `./react` alone. A server needs none.
    peerDependencies: { react: '>=18' },
    peerDependenciesMeta: { react: { optional: true } },
  };
}

/**
 * Makes the npm package of the client and the command line. The same sources make the same bytes.
 * @param folder is replaced by the content of the package
 * @param file the tarball
 */
export async function buildPackage(folder: string, file: string): Promise<void> {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(packageManifest(), null, 2)}\n`);
  fs.copyFileSync('lib/client/README.md', path.join(folder, 'README.md'));
  copyDependencies(DEPENDENCIES, folder);
  await Promise.all([bundleClient(folder), emitDeclarations(path.join(folder, 'types'))]);
  await pack(folder, file);
}

async function pack(folder: string, file: string): Promise<void> {
  const target = fs.mkdtempSync(`${file}-`);
  try {
    const args = ['pack', path.resolve(folder), '--pack-destination', target, '--ignore-scripts', '--offline'];
    await runNpm(args);
    fs.renameSync(path.join(target, `${PACKAGE_NAME}-${manifest.version}.tgz`), file);
  } finally {
    fs.rmSync(target, { recursive: true, force: true });
  }
}

/** Copies an installed package, and those that it depends on, into the node_modules of another. */
function copyDependencies(names: readonly string[], folder: string): void {
  const queue = [...names];
  for (const name of queue) {
    const source = path.join('node_modules', name);
    const target = path.join(folder, 'node_modules', name);
    fs.cpSync(source, target, { recursive: true, filter: (file) => !LEFT_OUT.test(file) });
    for (const file of fs.readdirSync(target, { recursive: true, encoding: 'utf8' })) {
      if (file.endsWith('.js')) dropSourceMap(path.join(target, file));
    }
    const { dependencies = {} } = JSON.parse(fs.readFileSync(path.join(source, 'package.json'), 'utf8'));
    queue.push(...Object.keys(dependencies).filter((each) => !queue.includes(each)));
  }
}

/** Without its map, the comment would only make debuggers look for a file that is missing. */
function dropSourceMap(file: string): void {
  const text = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, text.replace(/^\/\/# sourceMappingURL=.*\n?/gm, ''));
}

/**
 * Bundles the client into index.js and its React component into react.js, for Node and browsers, and the command line into eds.mjs, for
 * Node.
 * @param folder gets the files
 */
async function bundleClient(folder: string): Promise<void> {
  for (const name of ['index', 'react']) await bundleLibrary(`lib/client/${name}.ts`, path.join(folder, `${name}.js`));
  await build({ ...EDS_OPTIONS, entryPoints: ['scripts/eds.ts'], outfile: path.join(folder, 'eds.mjs') });
  // The compiler is a separate process that would live as long as this one.
  await stop();
}

async function bundleLibrary(entry: string, file: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    // Private members, and what else every browser and Node of the last years has.
    target: 'es2022',
    packages: 'external',
    charset: 'utf8',
    logLevel: 'silent',
  });
  writeFileSync(file, withoutComments(readFileSync(file, 'utf8')));
}

/** The declarations have the comments. The compiler keeps those of members, and adds the path of each source. */
function withoutComments(code: string): string {
  return code.replaceAll(/^[ \t]*(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/|\/\/.*)\n/gm, '');
}
