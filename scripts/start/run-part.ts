import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadConfigOrExit, REQUIRED_OF_A_PART } from '@/lib/platform/config/config';
import { buildStale, PAGES, PROCESSES } from './build';

/** What can be run by itself: an entry of scripts/ each. */
export const PARTS = ['web', 'worker', 'retention', 'migrate'];

/**
 * Runs one part in this process, after building what is stale. It reads its own configuration; here it is only checked
 * before the slow steps.
 */
export async function runPart(part: string, args: string[]): Promise<void> {
  loadConfigOrExit(REQUIRED_OF_A_PART);
  await buildStale(part === 'web' ? [...PROCESSES, ...PAGES] : PROCESSES, new AbortController().signal);
  const file = path.resolve('.build', `${part}.mjs`);
  process.argv = [process.execPath, file, ...args];
  Object.assign(process.env, { NODE_ENV: 'production' });
  await import(pathToFileURL(file).href);
}
