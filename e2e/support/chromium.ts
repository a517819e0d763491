import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';

/** The headless shell first: it needs a quarter less time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'msedge',
];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Returns the browser to test with: CHROMIUM_PATH, an installed one, or Playwright's own; null when none runs. */
export function findChromium(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given !== undefined && given !== '') return given;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const installed = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  return [...installed, ...ELSEWHERE, chromium.executablePath()].find(runs) ?? null;
}

/** Whether a browser starts: it can lack system libraries. On Windows, asking for the version would open a window. */
function runs(file: string): boolean {
  if (!fs.existsSync(file)) return false;
  return process.platform === 'win32' || spawnSync(file, ['--no-sandbox', '--version']).status === 0;
}
