import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, stop } from 'esbuild';
import { EDS_OPTIONS } from '@/scripts/start/bundle.mjs';

/**
 * Bundles the client into index.js, for Node and browsers, and the command line into eds.mjs, for Node.
 * @param folder gets both files
 */
export async function bundleClient(folder: string): Promise<void> {
  const library = path.join(folder, 'index.js');
  await build({
    entryPoints: ['lib/client/index.ts'],
    outfile: library,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    // Private members, and what else every browser and Node of the last years has.
    target: 'es2022',
    packages: 'external',
    charset: 'utf8',
    logLevel: 'silent',
  });
  writeFileSync(library, withoutComments(readFileSync(library, 'utf8')));
  await build({ ...EDS_OPTIONS, entryPoints: ['scripts/eds.ts'], outfile: path.join(folder, 'eds.mjs') });
  // The compiler is a separate process that would live as long as this one.
  await stop();
}

/** The declarations have the comments. The compiler keeps those of members, and adds the path of each source. */
function withoutComments(code: string): string {
  return code.replaceAll(/^[ \t]*(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/|\/\/.*)\n/gm, '');
}
