import fs from 'node:fs';
import { REQUIRED_OF } from '@/lib/platform/config/parts';
import { showProgressOn } from './progress.mjs';
import { Refusal } from './refusal.mjs';
import { isPart, runPart } from './run-part';
import { withSetup } from './setup';
import { startAll } from './start-all';

/** What `node scripts/start.mjs` does: everything, or the one part that its first argument names, or only the build. */
export async function main([part, ...args]: string[]): Promise<void> {
  if (fs.existsSync('.env')) process.loadEnvFile('.env');
  if (part === undefined) return startAll();
  // The launcher has set this already, but this bundle holds its own copy of the module.
  showProgressOn(process.stderr);
  if (part === 'build') return withSetup('stderr', (setup) => setup.run('build', ['processes', 'pages']));
  if (!isPart(part)) throw new Refusal(`There is no part "${part}": ${Object.keys(REQUIRED_OF).join(', ')}.`);
  return runPart(part, args);
}
