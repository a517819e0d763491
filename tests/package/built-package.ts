import path from 'node:path';
import { PACKAGE_FILE } from '@/lib/api/downloads/package-file';
import { buildStale, PROCESSES } from '@/scripts/start/build';

/** Returns the path of the npm package, built from the present sources. */
export async function builtPackage(): Promise<string> {
  await buildStale(PROCESSES, new AbortController().signal);
  return path.resolve(PACKAGE_FILE);
}
