import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Part, REQUIRED_OF } from '@/lib/platform/config/parts';
import { showProgressOn } from './progress.mjs';
import { withSetup } from './setup';
import { startAll } from './start-all';
import { StartupError } from './startup-error.mjs';

/** Commands on the database. */
const DATA_COMMANDS = ['backup', 'restore', 'cells'];

/**
 * Runs what `node scripts/start.mjs` is asked for: everything, only the build, or, in this process, the part or the command that
 * the first argument names.
 */
export async function main([name, ...args]: string[]): Promise<void> {
  if (fs.existsSync('.env')) process.loadEnvFile('.env');
  if (name === undefined) return startAll();
  // The launcher has set this too, but this bundle contains its own copy of the module.
  showProgressOn(process.stderr);
  if (name === 'build') return withSetup('stderr', (setup) => setup.run('build', ['processes', 'pages']));
  const isPart = Object.hasOwn(REQUIRED_OF, name);
  if (!isPart && !DATA_COMMANDS.includes(name)) {
    throw new StartupError(`Unknown part "${name}". Choose one of: ${Object.keys(REQUIRED_OF).join(', ')}.`);
  }
  await withSetup('stderr', async (setup) => {
    // A part reads its own configuration. It is checked here only to fail before the slow steps.
    if (isPart) await setup.run('checkConfigOfPart', name as Part);
    await setup.run('build', name === 'web' ? ['processes', 'pages'] : ['processes']);
  });
  const file = path.resolve('.build', `${name}.mjs`);
  process.argv = [process.execPath, file, ...args];
  Object.assign(process.env, { NODE_ENV: 'production' });
  await import(pathToFileURL(file).href);
}
