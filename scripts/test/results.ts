import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

/** The counts of a test run. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  /** That what failed is no test: an error outside of them, or a problem that is documented and that none saw. */
  isOutside?: boolean;
}

const Vitest = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
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
  return exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1, isOutside: true } : tally;
}

/** The most failures that are listed. */
const LISTED = 40;

/**
 * Lists what failed in Vitest's JSON report, each as "file › test: first line of the error", and the documented problems that no
 * test saw. The browser tests come after the others and print more than a log may keep.
 *
 * @returns At most 40 lines, and one that counts the others.
 */
export function listFailures(file: string, unseenProblems: string): string[] {
  if (!fs.existsSync(file)) return [];
  const unseen = fs.existsSync(unseenProblems) ? fs.readFileSync(unseenProblems, 'utf8').split('\n') : [];
  const { testResults } = Vitest.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const where = path.relative('.', name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (tests.length === 0) return status === 'failed' ? [`${where}: ${firstLine(message)}`] : [];
    return tests.map((test) => `${where} › ${test.fullName}: ${firstLine(test.failureMessages?.[0] ?? '')}`);
  });
  failures.push(...unseen.map((problem) => `no test saw ${problem}`));
  const others = failures.length - LISTED;
  return others > 0 ? [...failures.slice(0, LISTED), `… and ${others} more`] : failures;
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
