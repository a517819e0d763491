import { CliError } from '@/lib/cli/cli-error';
import { EXIT } from '@/lib/cli/exit-codes';

/** An id of the API. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Lookup<T> {
  /** What it is, such as `source`. */
  kind: string;
  /** The command that lists all of them. */
  list: string;
  get(id: string): Promise<T>;
  all(): AsyncIterable<T>;
}

/**
 * Finds a resource by its id, or by its name regardless of case.
 * @throws CliError when no resource has the name, or several have
 */
export async function findByName<T extends { id: string; name: string }>(
  given: string,
  { kind, list, get, all }: Lookup<T>,
): Promise<T> {
  if (UUID.test(given)) return await get(given);
  const found: T[] = [];
  for await (const each of all()) {
    if (each.name.toLowerCase() === given.toLowerCase()) found.push(each);
    if (found.length > 1) break;
  }
  const [only] = found;
  if (only === undefined) {
    throw new CliError({
      message: `We couldn’t find the ${kind} “${given}”.`,
      code: 'not_found',
      exitCode: EXIT.notFound,
      next: list,
    });
  }
  if (found.length === 1) return only;
  throw new CliError({
    message: `Several ${kind}s are named “${given}”.`,
    code: 'ambiguous',
    exitCode: EXIT.usage,
    next: `Give its ID: ${list}`,
  });
}
