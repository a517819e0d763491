import fs from 'node:fs';
import path from 'node:path';
import { buildStale, PAGES, PROCESSES } from '@/scripts/start/build';
import { step } from '@/scripts/start/progress.mjs';
import { ensureChromium } from './ensure-chromium';
import { listFailures, readPlaywright, readVitest, type Tally } from './results';
import { runNode } from './run-node';

const RESULTS = path.resolve('.build/test-results');
const VITEST = path.join(RESULTS, 'vitest.json');
const PROBLEMS = path.join(RESULTS, 'problems.txt');
const PLAYWRIGHT = path.join(RESULTS, 'playwright.json');

/**
 * Runs every test, or with `long` those that take long and seldom find anything. Prints the totals as the last line, and exits
 * with 1 unless everything ran and passed.
 */
export async function main([which]: string[]): Promise<void> {
  fs.rmSync(RESULTS, { recursive: true, force: true });
  fs.mkdirSync(RESULTS, { recursive: true });
  const onCitus = process.env.TEST_CITUS_URL === undefined ? [] : ['citus'];
  const suites =
    which === 'long'
      ? [() => runVitest(['long'])]
      : [() => runVitest(['unit', 'db', 'package', ...onCitus]), runBrowserTests];
  const tallies: Tally[] = [];
  for (const suite of suites) tallies.push(await runSuite(suite));
  const sum = (name: 'passed' | 'failed' | 'skipped') => tallies.reduce((total, tally) => total + tally[name], 0);
  for (const failure of listFailures(VITEST, `${PROBLEMS}.unseen`)) console.log(`FAILED ${failure}`);
  if (tallies.some(({ isOutside }) => isOutside)) console.log('FAILED outside of the tests: look for the error above');
  if (sum('skipped') > 0) console.log(`${sum('skipped')} did not run, which counts as a failure`);
  console.log(
    onCitus.length === 0
      ? 'Not run without TEST_CITUS_URL: the database tests on Citus, and tests/cells/distribute.citus.test.ts'
      : 'Not run with TEST_CITUS_URL: tests of what one PostgreSQL has, by tests/database/one-server.ts',
  );
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  const good = tallies.every((tally) => tally.passed > 0 && tally.failed === 0 && tally.skipped === 0);
  process.exit(good ? 0 : 1);
}

/** Counts a suite that cannot run as one failure; the other suite still runs. */
async function runSuite(run: () => Promise<Tally>): Promise<Tally> {
  try {
    return await run();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

async function runVitest(projects: string[]): Promise<Tally> {
  // Builds the Prisma client with its types; the rest is built for the browser tests.
  await buildStale(PROCESSES, new AbortController().signal);
  const chosen = projects.map((project) => `--project=${project}`);
  const reporters = ['default', 'json', './tests/http/unseen-problems.ts'].map((name) => `--reporter=${name}`);
  const args = ['run', ...chosen, ...reporters, `--outputFile.json=${VITEST}`];
  // CI makes a focused test an error, and never writes a snapshot.
  const env = { CI: '1', ...(projects.includes('db') ? { SEEN_PROBLEMS_FILE: PROBLEMS } : {}) };
  const code = await runNode(['node_modules/vitest/vitest.mjs', ...args], env);
  return readVitest(VITEST, code);
}

async function runBrowserTests(): Promise<Tally> {
  await buildStale(PAGES, new AbortController().signal);
  let chromium = '';
  await step('Looking for a browser', async () => {
    chromium = await ensureChromium();
    return `Browser: ${chromium}`;
  });
  const code = await runNode(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'], {
    CHROMIUM_PATH: chromium,
    PLAYWRIGHT_JSON_OUTPUT_FILE: PLAYWRIGHT,
  });
  return readPlaywright(PLAYWRIGHT, code);
}
