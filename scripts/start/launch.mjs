import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { showProgressOn } from './progress.mjs';
import { forwardSignals } from './run-tool.mjs';
import { exitWith } from './startup-error.mjs';

const PARENT_CHECK_MS = 200;
const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Installs missing packages, bundles a TypeScript entry and calls its `main`. On an error the process exits with 1; an
 * expected error prints its message, any other its stack.
 *
 * @param {string} entry path from the root
 * @param {string[]} args the first may name a part; progress then goes to stderr, since standard output belongs to the part
 * @param {{ usesDatabase?: boolean }} options usesDatabase: the entry imports the Prisma client, which is generated first
 */
export async function launch(entry, args, { usesDatabase = false } = {}) {
  process.chdir(ROOT);
  endWithNpm();
  // Writing to a closed terminal fails. That must not interrupt an orderly stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (args.length > 0) showProgressOn(process.stderr);
  try {
    const { file, isOwn } = await bundleInChild(entry, args.length > 0 ? 'stderr' : 'stdout', usesDatabase);
    const { main } = await import(pathToFileURL(file).href).finally(() => isOwn && fs.rmSync(file, { force: true }));
    await main(args);
  } catch (error) {
    exitWith(error);
  }
}

/**
 * Installs and bundles in a child process, so that this one, which may run for months, loads neither the compiler nor the
 * package lists. When the child fails, it has printed the reason, and this process ends with the same exit code.
 */
async function bundleInChild(entry, progress, usesDatabase) {
  const script = path.join(ROOT, 'scripts', 'start', 'bundle-entry.mjs');
  const child = fork(script, [entry, progress, usesDatabase ? 'database' : ''], { execArgv: [] });
  const restore = forwardSignals(child);
  let bundle = null;
  child.on('message', (message) => {
    bundle = message;
  });
  const [code] = await once(child, 'close');
  restore();
  if (bundle === null) process.exit(code ?? 1);
  return bundle;
}

/**
 * npm runs a part through a shell and signals only that shell, which dies of SIGTERM without forwarding it. The only sign
 * here is a new parent process. (The shell of `npm start` is replaced by the service with exec.)
 */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    // A part takes the end of its parent as a request to stop. A signal could be the second one, which ends it at once.
    if (process.listenerCount('disconnect') > 0) process.emit('disconnect');
    else process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  timer.unref();
}
