import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { showProgressOn } from './progress.mjs';
import { EXPECTED_ERRORS } from './refusal.mjs';

const PARENT_CHECK_MS = 200;
const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Installs what is missing, bundles a TypeScript entry and calls its `main`. An expected error ends the process with its
 * one line and 1, any other with its stack.
 *
 * @param {string} entry path from the root
 * @param {string[]} args a first argument names a part, whose standard output is its own: progress then goes to stderr
 */
export async function launch(entry, args) {
  process.chdir(ROOT);
  endWithNpm();
  // A terminal that has been closed takes no more lines; that is no reason to stop in disorder.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (args.length > 0) showProgressOn(process.stderr);
  try {
    await ensureInstalled();
    const { importEntry } = await import('./bundle.mjs');
    const { main } = await importEntry(entry);
    await main(args);
  } catch (error) {
    const expected = error instanceof Error && EXPECTED_ERRORS.includes(error.name);
    process.stderr.write(`${expected ? error.message : (error?.stack ?? error)}\n`);
    process.exit(1);
  }
}

/**
 * npm runs us through a shell and passes a signal on to that shell alone, which dies of it without a word to us: the
 * change of parent is what is left to see.
 */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  timer.unref();
}
