import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

/** The most failures that are listed. */
const LISTED = 40;

const Report = z.object({
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

/**
 * Lists what failed in Vitest's JSON report, each as "file › test: first line of the error". The browser tests come after
 * the others and print more than a log may keep.
 *
 * @returns At most 40 lines, and one that counts the others.
 */
export function listFailures(file: string): string[] {
  if (!fs.existsSync(file)) return [];
  const { testResults } = Report.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const where = path.relative('.', name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (tests.length === 0) return status === 'failed' ? [`${where}: ${firstLine(message)}`] : [];
    return tests.map((test) => `${where} › ${test.fullName}: ${firstLine(test.failureMessages?.[0] ?? '')}`);
  });
  const others = failures.length - LISTED;
  return others > 0 ? [...failures.slice(0, LISTED), `… and ${others} more`] : failures;
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
