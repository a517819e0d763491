import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { withSetup } from './setup';

/** What can be run by itself: an entry of scripts/ each. */
export const PARTS = ['web', 'worker', 'retention', 'migrate'];

/**
 * Runs one part in this process, after building what is stale. The part reads its own configuration; here it is only checked
 * before the slow steps.
 */
export async function runPart(part: string, args: string[]): Promise<void> {
  await withSetup('stderr', async (setup) => {
    await setup.run('checkConfigOfPart', null);
    await setup.run('build', part === 'web' ? ['processes', 'pages'] : ['processes']);
  });
  const file = path.resolve('.build', `${part}.mjs`);
  process.argv = [process.execPath, file, ...args];
  Object.assign(process.env, { NODE_ENV: 'production' });
  await import(pathToFileURL(file).href);
}
