import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Part, REQUIRED_OF } from '@/lib/platform/config/parts';
import { showProgressOn } from './progress.mjs';
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

/** Whether a part has this name; each part is an entry in scripts/. */
export function isPart(name: string): name is Part {
  return Object.hasOwn(REQUIRED_OF, name);
}

/**
 * Builds what is stale, then runs one part in this process. The part reads its own configuration; it is checked here only
 * to fail before the slow steps.
 */
export async function runPart(part: Part, args: string[]): Promise<void> {
  await withSetup('stderr', async (setup) => {
    await setup.run('checkConfigOfPart', part);
    await setup.run('build', part === 'web' ? ['processes', 'pages'] : ['processes']);
  });
  await runEntry(part, args);
}

/** A command on the embedded database of DATA_DIR; each is an entry in scripts/. */
type DataCommand = 'backup' | 'restore';

/** Whether a command on the embedded database has this name. */
function isDataCommand(name: string): name is DataCommand {
  return name === 'backup' || name === 'restore';
}

/** Builds what is stale, then runs a command on the embedded database in this process. */
async function runDataCommand(command: DataCommand, args: string[]): Promise<void> {
  await withSetup('stderr', (setup) => setup.run('build', ['processes']));
  await runEntry(command, args);
}

async function runEntry(name: string, args: string[]): Promise<void> {
  const file = path.resolve('.build', `${name}.mjs`);
  process.argv = [process.execPath, file, ...args];
  Object.assign(process.env, { NODE_ENV: 'production' });
  await import(pathToFileURL(file).href);
}
