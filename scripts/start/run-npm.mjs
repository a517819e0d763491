import path from 'node:path';
import { runTool } from './run-tool.mjs';

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
