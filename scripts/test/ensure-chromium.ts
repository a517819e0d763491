import { findChromium } from '@/e2e/support/chromium';
import { Refusal } from '@/scripts/start/refusal.mjs';
import { runTool } from '@/scripts/start/run-tool.mjs';

/** Ways to a browser when none is installed, tried in turn. */
const INSTALLERS: [string, string, string[]][] = [
  ['playwright install', process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium']],
  ['apt-get', 'sh', ['-c', 'apt-get update && apt-get install -y --no-install-recommends chromium']],
];

/** The path of a browser that runs here, installed if need be. @throws Refusal */
export async function ensureChromium(): Promise<string> {
  const reasons: string[] = [];
  for (const [what, command, args] of INSTALLERS) {
    const found = findChromium();
    if (found !== null) return found;
    await runTool(what, command, args).catch((error: Error) => reasons.push(error.message));
  }
  const found = findChromium();
  if (found !== null) return found;
  throw new Refusal(`${reasons.join('\n')}\nNo browser for the tests: install Chromium, or set CHROMIUM_PATH to one.`);
}
