import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Terminal } from '@/lib/cli/terminal';

/**
 * Opens a URL in the browser if the machine has a screen. A browser that does not start is no error: the URL is shown.
 * @returns whether a browser was asked
 */
export function openBrowser(terminal: Terminal, url: string): boolean {
  // Only what is certainly a URL reaches a program: the server names it. Nothing in it means something to a shell.
  if (!/^https?:\/\/[\w.~:/?#[\]@!*+,=%-]+$/.test(url)) return false;
  const [program, ...args] = browserCommand(terminal, url) ?? [];
  if (program === undefined) return false;
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
  return true;
}

/** Returns a program and its arguments; null where nobody would see a browser. */
export function browserCommand(
  { platform, env, stderr }: Pick<Terminal, 'platform' | 'env' | 'stderr'>,
  url: string,
): string[] | null {
  const { BROWSER = '', SystemRoot = 'C:\\Windows' } = env;
  if (BROWSER !== '') return fromVariable(BROWSER, url);
  if (!stderr.isTTY || env.SSH_CONNECTION || env.CI) return null;
  if (platform === 'darwin') return ['/usr/bin/open', url];
  // Not by its name alone: Windows would look for it in the folder that the command runs in.
  if (platform === 'win32') {
    return [path.win32.join(SystemRoot, 'System32', 'rundll32.exe'), 'url.dll,FileProtocolHandler', url];
  }
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open', url] : null;
}

/** BROWSER is a program with arguments; `%s` in it is the URL, which otherwise comes last. */
function fromVariable(variable: string, url: string): string[] {
  // A path may have spaces.
  if (existsSync(variable)) return [variable, url];
  const words = variable.trim().split(/\s+/);
  return words.includes('%s') ? words.map((word) => (word === '%s' ? url : word)) : [...words, url];
}
