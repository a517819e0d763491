import { format, stripVTControlCharacters } from 'node:util';
import { log } from './log';

const LEVELS = { debug: 'debug', log: 'debug', info: 'debug', warn: 'warn', error: 'error' } as const;

/**
 * Sends what a library prints with `console` to the log, so that every line of standard output is JSON. Next.js prints how long its
 * start took, and the errors of pages.
 *
 * @param target for tests
 */
export function sendConsoleToLog(target: Partial<Console> = console): void {
  for (const [method, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, 'debug' | 'warn' | 'error'][]) {
    target[method] = (...values: unknown[]) => {
      const err = values.find((value) => value instanceof Error);
      const text = stripVTControlCharacters(format(...values.filter((value) => value !== err))).trim();
      log()[level](err === undefined ? {} : { err }, text || (err instanceof Error ? err.message : ''));
    };
  }
}

/**
 * Logs the warnings of Node at the level of warnings. Node's own listener would print them with `console.error`: as text, or as errors
 * once the console is sent to the log.
 *
 * @param target for tests
 */
export function sendWarningsToLog(target: NodeJS.EventEmitter = process): void {
  target.removeAllListeners('warning');
  target.on('warning', (warning: Error) => log().warn({ err: warning }, 'warning of Node'));
}
