import { spawn } from 'node:child_process';
import { Refusal } from './refusal.mjs';

const KEPT_CHARACTERS = 20_000;

/**
 * Runs a tool to its end. Its output is kept back and shown only when it fails.
 *
 * @param {string} what names the tool in the error
 * @param {string} command
 * @param {string[]} args
 * @param {{env?: Record<string, string | undefined>, signal?: AbortSignal}} [options] env is added to this process's own;
 *   signal ends the tool early. Without it a signal to this process ends both.
 * @returns {Promise<void>} rejects with a Refusal that carries the end of the output
 */
export function runTool(what, command, args, { env = {}, signal } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      // A tool that is a script of npm's needs the shell to be found on Windows.
      shell: process.platform === 'win32' && command !== process.execPath,
    });
    const restore = signal === undefined ? endTogether(child) : () => undefined;
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-KEPT_CHARACTERS);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('error', (error) => reject(new Refusal(`${what} cannot be run: ${error.message}`)));
    child.on('close', (code, endedBy) => {
      restore();
      if (code === 0) resolve();
      else reject(new Refusal(`${output.trimEnd()}\n${what} failed (${endedBy ?? `exit code ${code}`}).`));
    });
  });
}

/**
 * Passes SIGINT and SIGTERM on to a child before this process ends: the child may be in the middle of writing files.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => void} what undoes this
 */
export function endTogether(child) {
  const end = (signal) => {
    child.kill(signal);
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  return () => process.off('SIGINT', end).off('SIGTERM', end);
}
