import fs from 'node:fs';
import { buildStale, PAGES, PROCESSES } from './build';
import { showProgressOn } from './progress.mjs';
import { Refusal } from './refusal.mjs';
import { PARTS, runPart } from './run-part';
import { startAll } from './start-all';

/** What `node scripts/start.mjs` does: everything, or the one part that its first argument names, or only the build. */
export async function main([part, ...args]: string[]): Promise<void> {
  if (fs.existsSync('.env')) process.loadEnvFile('.env');
  if (part === undefined) return startAll();
  // Once more: what this file is bundled with has its own copy of the module that the launcher has told already.
  showProgressOn(process.stderr);
  if (part === 'build') return buildStale([...PROCESSES, ...PAGES], new AbortController().signal);
  if (!PARTS.includes(part)) throw new Refusal(`There is no part "${part}": ${PARTS.join(', ')}.`);
  return runPart(part, args);
}
