import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Part, REQUIRED_OF } from '@/lib/platform/config/parts';
import { withSetup } from './setup';

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
  const file = path.resolve('.build', `${part}.mjs`);
  process.argv = [process.execPath, file, ...args];
  Object.assign(process.env, { NODE_ENV: 'production' });
  await import(pathToFileURL(file).href);
}
