import { spawn } from 'node:child_process';
import path from 'node:path';
import { StartupError } from './startup-error.mjs';

const KEPT_CHARACTERS = 20_000;

/**
 * Runs a tool to its end. Its output is shown only when it fails.
 *
 * @param {string} what names the tool in the error
 * @param {string} command
 * @param {string[]} args
 * @param {{env?: Record<string, string | undefined>, signal?: AbortSignal}} [options] env extends the environment of this process;
 *   signal ends the tool early. Without it a signal to this process ends both.
 * @returns {Promise<void>} rejects with a StartupError that carries the end of the output
 */
export function runTool(what, command, args, { env = {}, signal } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      // On Windows, the scripts of npm packages are found only through a shell.
      shell: process.platform === 'win32' && command !== process.execPath,
    });
    const restore = signal === undefined ? forwardSignals(child) : () => undefined;
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-KEPT_CHARACTERS);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('error', (error) => reject(new StartupError(`${what} cannot be run: ${error.message}`)));
    child.on('close', (code, endedBy) => {
      restore();
      if (code === 0) resolve();
      else reject(new StartupError(`${output.trimEnd()}\n${what} failed (${endedBy ?? `exit code ${code}`}).`));
    });
  });
}

/**
 * Runs npm to its end: the one that runs this process, or else the first on the path.
 *
 * @param {string[]} args
 * @param {{env?: Record<string, string | undefined>, signal?: AbortSignal}} [options] as those of runTool
 * @returns {Promise<void>} rejects with a StartupError that carries the end of the output
 */
export function runNpm(args, options) {
  const npm = process.env.npm_execpath;
  const isNpm = npm !== undefined && path.basename(npm) === 'npm-cli.js';
  const [command, first] = isNpm ? [process.execPath, [npm]] : ['npm', []];
  return runTool(`npm ${args[0]}`, command, [...first, ...args], options);
}

/**
 * Forwards SIGINT and SIGTERM to a child and waits for it to end: the child may be writing files.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => void} stops forwarding
 */
export function forwardSignals(child) {
  const end = (signal) => {
    child.kill(signal);
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  return () => process.off('SIGINT', end).off('SIGTERM', end);
}
