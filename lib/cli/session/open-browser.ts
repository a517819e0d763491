import { spawn } from 'node:child_process';
import type { Terminal } from '@/lib/cli/terminal';

/** Opens a URL in the browser if the machine has a screen. A browser that does not open is no error: the URL is shown. */
export function openBrowser(terminal: Terminal, url: string): void {
  const found = browserCommand(terminal);
  // Only what is certainly a URL reaches a program: the server names it.
  if (found === null || !/^https?:\/\/[^\s"'`$&|<>^]+$/.test(url)) return;
  const [program, ...args] = found;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

function browserCommand({ platform, env, stderr }: Terminal): [string, ...string[]] | null {
  if (env.BROWSER) return [env.BROWSER];
  if (!stderr.isTTY || env.SSH_CONNECTION || env.CI) return null;
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : null;
}
