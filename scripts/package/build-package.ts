import fs from 'node:fs';
import path from 'node:path';
import manifest from '@/package.json' with { type: 'json' };
import { runNpm } from '@/scripts/start/run-npm.mjs';
import { bundleClient } from './bundle-client';
import { copyDependencies } from './copy-dependencies';
import { emitDeclarations } from './emit-declarations';

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
      './package.json': './package.json',
    },
    types: './types/index.d.ts',
    bin: { eds: 'eds.mjs' },
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, dependencies[name]])),
    bundleDependencies: DEPENDENCIES,
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
