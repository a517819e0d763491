import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';
import { problemCodesOf } from '@/lib/api/openapi/operation';
import { api } from '@/lib/api/table';
import { type RouteTable, VERBS } from '@/lib/http/table';
import type { ErrorCode } from '@/lib/platform/errors';

/** Where the workers of a complete run note what they saw. Other runs see too little to judge. */
const { SEEN_PROBLEMS_FILE: FILE } = process.env;
const noted = new Set<string>();

/** Notes that a response of an operation, such as `GET /api/v1/key`, had this code. */
export function noteProblem(operation: string, code: ErrorCode): void {
  const line = `${operation} ${code}\n`;
  if (FILE === undefined || noted.has(line)) return;
  noted.add(line);
  appendFileSync(FILE, line);
}

/**
 * Lists the documented problems that no test saw: a code that only `errors` of a route names must be seen of that route, one that its
 * declaration implies of any route.
 * @param seen lines such as `GET /api/v1/key invalid_api_key`
 */
export function findUnseenProblems(table: RouteTable, seen: ReadonlySet<string>): string[] {
  const seenCodes = new Set([...seen].map((line) => line.slice(line.lastIndexOf(' ') + 1)));
  const unseen = Object.entries(table).flatMap(([path, entry]) =>
    VERBS.flatMap((verb) => {
      const definition = entry[verb];
      if (definition === undefined) return [];
      const implied = new Set(problemCodesOf(verb, { ...definition, errors: [] }));
      return problemCodesOf(verb, definition).flatMap((code) => {
        if (implied.has(code)) return seenCodes.has(code) ? [] : [`any route ${code}`];
        const problem = `${verb} ${path} ${code}`;
        return seen.has(problem) ? [] : [problem];
      });
    }),
  );
  return [...new Set(unseen)];
}

/** Fails a complete run when the OpenAPI document promises a problem that no test saw. */
export default class UnseenProblems implements Reporter {
  onTestRunEnd(): void {
    if (FILE === undefined || !existsSync(FILE)) return;
    const unseen = findUnseenProblems(api, new Set(readFileSync(FILE, 'utf8').split('\n')));
    if (unseen.length === 0) return;
    console.error(`Documented problems that no test saw:\n${unseen.join('\n')}`);
    writeFileSync(`${FILE}.unseen`, unseen.join('\n'));
    process.exitCode = 1;
  }
}
