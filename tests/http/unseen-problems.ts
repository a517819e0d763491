import { appendFileSync, existsSync, readFileSync } from 'node:fs';
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
 * Lists the documented problems that no test saw: a code that a route declares in `errors` must be seen of that route, one that its
 * declaration implies of any route with the same kind of caller.
 * @param seen lines such as `GET /api/v1/key invalid_api_key`
 */
export function findUnseenProblems(table: RouteTable, seen: ReadonlySet<string>): string[] {
  const documented = Object.entries(table).flatMap(([path, entry]) =>
    VERBS.flatMap((verb) => {
      const definition = entry[verb];
      if (definition === undefined) return [];
      const { caller, errors = [] } = definition;
      return problemCodesOf(verb, definition).map((code) => {
        const isSeen = seen.has(`${verb} ${path} ${code}`);
        return { problem: errors.includes(code) ? `${verb} ${path} ${code}` : `any ${caller.kind} ${code}`, isSeen };
      });
    }),
  );
  const found = new Set(documented.filter(({ isSeen }) => isSeen).map(({ problem }) => problem));
  return [...new Set(documented.map(({ problem }) => problem))].filter((problem) => !found.has(problem));
}

/**
 * Reports, after a complete run, which problems the OpenAPI document promises although no test saw them. It does not fail the run: the
 * browser tests, which follow, may see some.
 */
export default class UnseenProblems implements Reporter {
  onTestRunEnd(): void {
    if (FILE === undefined || !existsSync(FILE)) return;
    const unseen = findUnseenProblems(api, new Set(readFileSync(FILE, 'utf8').split('\n')));
    if (unseen.length > 0) console.log(`Documented problems that no test saw:\n${unseen.join('\n')}`);
  }
}
