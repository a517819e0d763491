import type { Terminal } from '@/lib/cli/terminal';

const REDRAW_MS = 100;

/** Shows on a terminal how far a long command is, in one line that it rewrites. Writes nothing elsewhere. */
export function startProgress({ stderr }: Terminal, describe: () => string): { end(): void } {
  if (!stderr.isTTY) return { end: () => undefined };
  const draw = () => stderr.write(`\r\x1b[K${describe().slice(0, stderr.columns - 1)}`);
  const timer = setInterval(draw, REDRAW_MS);
  return {
    end: () => {
      clearInterval(timer);
      stderr.write('\r\x1b[K');
    },
  };
}
