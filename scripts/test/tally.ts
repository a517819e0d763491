import fs from 'node:fs';
import * as z from 'zod';

/** The counts of a test run. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

const Vitest = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

const Playwright = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  errors: z.array(z.unknown()),
});

/** Counts Vitest's JSON report. A file that cannot be loaded lists no tests and counts as one failure. */
export function readVitest(file: string, exitCode: number): Tally {
  const report = Vitest.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return honest(exitCode, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  });
}

/** Counts Playwright's JSON report. A flaky test counts as failed. */
export function readPlaywright(file: string, exitCode: number): Tally {
  const { stats, errors } = Playwright.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  const failed = stats.unexpected + stats.flaky;
  return honest(exitCode, { passed: stats.expected, failed: failed + errors.length, skipped: stats.skipped });
}

/** A runner that exits with an error although no test failed met an error outside of the tests. */
function honest(exitCode: number, tally: Tally): Tally {
  return exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}
