import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Terminal } from '@/lib/cli/terminal';

const CTRL_C = '\x03';

/**
 * Calls a function for each key that a person presses at the terminal. Ctrl-C still interrupts.
 * @returns what ends it; null where nobody can press a key
 */
export function listenForKeys({ stdin, platform }: Terminal, onKey: (key: string) => void): (() => void) | null {
  if (!stdin.isTTY || !isInForeground(platform)) return null;
  const onData = (chunk: Buffer) => {
    for (const key of chunk.toString('latin1')) {
      // In raw mode the terminal sends no signal.
      if (key === CTRL_C) process.emit('SIGINT', 'SIGINT');
      else onKey(key);
    }
  };
  stdin.setRawMode?.(true);
  stdin.on('data', onData);
  stdin.resume();
  return () => {
    stdin.off('data', onData);
    stdin.setRawMode?.(false);
    stdin.pause();
  };
}

/** The system stops a command that reads the terminal in the background, such as `eds listen 4000 &`. */
function isInForeground(platform: NodeJS.Platform): boolean {
  try {
    const [group, foreground] = platform === 'linux' ? groupsOfLinux() : platform === 'win32' ? [] : groupsOfUnix();
    // No group: the terminal does not control this process, so it stops nothing.
    return group === foreground || Number(foreground) <= 0;
  } catch {
    return true;
  }
}

/** The 5th and the 8th field of proc(5) stat; the second is the name of the program, in parentheses. */
function groupsOfLinux(): (string | undefined)[] {
  const fields = readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return [fields[2], fields[5]];
}

function groupsOfUnix(): (string | undefined)[] {
  const columns = ['-o', 'pgid=', '-o', 'tpgid=', '-p', String(process.pid)];
  return execFileSync('ps', columns, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .trim()
    .split(/\s+/);
}
