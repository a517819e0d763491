import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';

/** The shell first: without the window that nobody sees it does the same in three quarters of the time. */
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

/** The browser to test with: CHROMIUM_PATH, else one that is installed, else Playwright's own; null when none runs here. */
export function findChromium(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given !== undefined && given !== '') return given;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const installed = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  return [...installed, ...ELSEWHERE, chromium.executablePath()].find(runs) ?? null;
}

/** A browser that is there may still lack libraries of the system. Asking Windows' for its version would open a window. */
function runs(file: string): boolean {
  if (!fs.existsSync(file)) return false;
  return process.platform === 'win32' || spawnSync(file, ['--no-sandbox', '--version']).status === 0;
}
