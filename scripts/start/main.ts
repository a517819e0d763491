import fs from 'node:fs';
import { REQUIRED_OF } from '@/lib/platform/config/parts';
import { showProgressOn } from './progress.mjs';
import { isDataCommand, isPart, runDataCommand, runPart } from './run-part';
import { withSetup } from './setup';
import { startAll } from './start-all';
import { StartupError } from './startup-error.mjs';

/** Runs what `node scripts/start.mjs` is asked for: everything, the part that the first argument names, or only the build. */
export async function main([part, ...args]: string[]): Promise<void> {
  if (fs.existsSync('.env')) process.loadEnvFile('.env');
  if (part === undefined) return startAll();
  // The launcher has set this too, but this bundle contains its own copy of the module.
  showProgressOn(process.stderr);
  if (part === 'build') return withSetup('stderr', (setup) => setup.run('build', ['processes', 'pages']));
  if (isDataCommand(part)) return runDataCommand(part, args);
  if (!isPart(part))
    throw new StartupError(`Unknown part "${part}". Choose one of: ${Object.keys(REQUIRED_OF).join(', ')}.`);
  return runPart(part, args);
}
