import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { listFailures } from './failures';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'failures-'));
const file = path.join(folder, 'report.json');
afterAll(() => fs.rmSync(folder, { recursive: true }));

const passed = { status: 'passed', fullName: 'works', failureMessages: [] };
const failed = (fullName: string) => ({ status: 'failed', fullName, failureMessages: ['Error: 1 is not 2\n    at x'] });
const write = (...testResults: object[]) => fs.writeFileSync(file, JSON.stringify({ testResults }));

it('names each failed test, its file and the first line of its error', () => {
  write(
    { name: path.resolve('lib/a.test.ts'), status: 'failed', assertionResults: [passed, failed('adds')] },
    { name: path.resolve('lib/b.test.ts'), status: 'failed', message: 'Cannot find y\n at z', assertionResults: [] },
    { name: path.resolve('lib/c.test.ts'), status: 'passed', assertionResults: [passed] },
  );
  expect(listFailures(file)).toEqual(['lib/a.test.ts › adds: Error: 1 is not 2', 'lib/b.test.ts: Cannot find y']);
});

it('lists at most 40 failures and counts the others', () => {
  const assertionResults = Array.from({ length: 43 }, (_, index) => failed(`test ${index}`));
  write({ name: path.resolve('lib/a.test.ts'), status: 'failed', assertionResults });
  expect(listFailures(file)).toHaveLength(41);
  expect(listFailures(file).at(-1)).toBe('… and 3 more');
});

it('lists nothing when the runner wrote no report', () => {
  expect(listFailures(path.join(folder, 'missing.json'))).toEqual([]);
});
