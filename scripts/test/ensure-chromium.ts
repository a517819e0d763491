import { findChromium } from '@/e2e/support/chromium';
import { runTool } from '@/scripts/start/run-tool.mjs';
import { StartupError } from '@/scripts/start/startup-error.mjs';

/** Ways to install a browser, tried in order. */
const INSTALLERS: [string, string, string[]][] = [
  ['playwright install', process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium']],
  ['apt-get', 'sh', ['-c', 'apt-get update && apt-get install -y --no-install-recommends chromium']],
];

/** Returns the path of a working browser; installs one when there is none. @throws StartupError */
export async function ensureChromium(): Promise<string> {
  const reasons: string[] = [];
  for (const [what, command, args] of INSTALLERS) {
    const found = findChromium();
    if (found !== null) return found;
    await runTool(what, command, args).catch((error: Error) => reasons.push(error.message));
  }
  const found = findChromium();
  if (found !== null) return found;
  throw new StartupError(
    `${reasons.join('\n')}\nNo browser for the tests: install Chromium, or set CHROMIUM_PATH to one.`,
  );
}
