import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A program in place of the browser. @returns its path for BROWSER, and what reads the URL that it got; null before that */
export function fakeBrowser(folder: string): { BROWSER: string; opened(): string | null } {
  const program = path.join(folder, 'browser.sh');
  const file = path.join(folder, 'opened');
  const script = `#!/bin/sh\nprintf %s "$*" > '${file}.part' && mv '${file}.part' '${file}'\n`;
  writeFileSync(program, script, { mode: 0o755 });
  return { BROWSER: program, opened: () => (existsSync(file) ? readFileSync(file, 'utf8') : null) };
}
