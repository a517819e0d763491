import { readFile } from 'node:fs/promises';
import { tagOf } from '@/lib/http/entity-tag';
import { once } from '@/lib/platform/globals';

/** Where the build writes the npm package of the client library and the command line. */
export const PACKAGE_FILE = '.build/eds.tgz';

/** The npm package with its strong entity tag. */
interface PackageFile {
  content: Uint8Array;
  tag: string;
}

/** Reads the npm package, once in a process. */
export function readPackage(): Promise<PackageFile> {
  return once('npm-package', () => ({ file: read() })).file;
}

async function read(): Promise<PackageFile> {
  const content = await readFile(PACKAGE_FILE);
  return { content, tag: tagOf(content) };
}
