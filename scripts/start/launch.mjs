import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { showProgressOn } from './progress.mjs';
import { EXPECTED_ERRORS } from './refusal.mjs';
import { endTogether } from './run-tool.mjs';

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
  // A closed terminal takes no more lines. That must not interrupt an orderly stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (args.length > 0) showProgressOn(process.stderr);
  try {
    const { file, isOwn } = await bundleInChild(entry, args.length > 0 ? 'stderr' : 'stdout');
    const { main } = await import(pathToFileURL(file).href).finally(() => isOwn && fs.rmSync(file, { force: true }));
    await main(args);
  } catch (error) {
    const expected = error instanceof Error && EXPECTED_ERRORS.includes(error.name);
    process.stderr.write(`${expected ? error.message : (error?.stack ?? error)}\n`);
    process.exit(1);
  }
}

/**
 * Installs and bundles in a child process, so that this one, which may run for months, loads neither the compiler nor the
 * lists of packages. A child that fails has told why; this process then ends with its exit code.
 */
async function bundleInChild(entry, progress) {
  const script = path.join(ROOT, 'scripts', 'start', 'bundle-entry.mjs');
  const child = fork(script, [entry, progress], { execArgv: [] });
  const restore = endTogether(child);
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
 * npm runs a part through a shell. It passes a signal on to that shell alone, which dies of SIGTERM without telling us; all
 * that we see is another parent. (The shell of `npm start` gives way to the service.)
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
