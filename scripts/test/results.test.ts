import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listFailures, readPlaywright, readVitest } from './results';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-'));
const file = path.join(folder, 'report.json');
afterAll(() => fs.rmSync(folder, { recursive: true }));

const write = (report: object) => fs.writeFileSync(file, JSON.stringify(report));
const vitest = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [] as object[],
};
const stats = { expected: 2, unexpected: 0, flaky: 0, skipped: 0 };

describe('the tally of Vitest', () => {
  it('counts passed, failed and skipped tests', () => {
    write({ ...vitest, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 });
    expect(readVitest(file, 1)).toEqual({ passed: 3, failed: 1, skipped: 3 });
  });

  it('counts a file that cannot be loaded as a failure', () => {
    write({ ...vitest, testResults: [{ status: 'failed', assertionResults: [] }] });
    expect(readVitest(file, 1)).toMatchObject({ failed: 1 });
  });

  it('counts an error outside of the tests as a failure', () => {
    write(vitest);
    expect(readVitest(file, 1)).toMatchObject({ passed: 3, failed: 1 });
    expect(readVitest(file, 0)).toMatchObject({ passed: 3, failed: 0 });
  });
});

describe('the tally of Playwright', () => {
  it('counts passed, failed, flaky and skipped tests', () => {
    write({ stats: { expected: 2, unexpected: 1, flaky: 1, skipped: 1 }, errors: [] });
    expect(readPlaywright(file, 1)).toEqual({ passed: 2, failed: 2, skipped: 1 });
  });

  it('counts an error outside of the tests as a failure', () => {
    write({ stats, errors: [{ message: 'the product did not start' }] });
    expect(readPlaywright(file, 1)).toMatchObject({ passed: 2, failed: 1 });
  });
});

const passed = { status: 'passed', fullName: 'works', failureMessages: [] };
const failed = (fullName: string) => ({ status: 'failed', fullName, failureMessages: ['Error: 1 is not 2\n    at x'] });
const writeResults = (...testResults: object[]) => write({ testResults });

it('names each failed test, its file and the first line of its error', () => {
  writeResults(
    { name: path.resolve('lib/a.test.ts'), status: 'failed', assertionResults: [passed, failed('adds')] },
    { name: path.resolve('lib/b.test.ts'), status: 'failed', message: 'Cannot find y\n at z', assertionResults: [] },
    { name: path.resolve('lib/c.test.ts'), status: 'passed', assertionResults: [passed] },
  );
  expect(listFailures(file)).toEqual(['lib/a.test.ts › adds: Error: 1 is not 2', 'lib/b.test.ts: Cannot find y']);
});

it('lists at most 40 failures and counts the others', () => {
  const assertionResults = Array.from({ length: 43 }, (_, index) => failed(`test ${index}`));
  writeResults({ name: path.resolve('lib/a.test.ts'), status: 'failed', assertionResults });
  expect(listFailures(file)).toHaveLength(41);
  expect(listFailures(file).at(-1)).toBe('… and 3 more');
});

it('lists nothing when the runner wrote no report', () => {
  expect(listFailures(path.join(folder, 'missing.json'))).toEqual([]);
});
