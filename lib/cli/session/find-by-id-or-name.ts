import { CliError } from '@/lib/cli/cli-error';
import { EXIT } from '@/lib/cli/exit-codes';

interface Kind {
  /** Such as "tunnel". */
  kind: string;
  /** The command that lists all. */
  list: string;
  /** The command that creates one. */
  create?: string;
}

/**
 * Finds one of a list by its ID, or by its name regardless of case.
 * @throws CliError when none has it, or several have the name
 */
export async function findByIdOrName<T extends { id: string; name: string }>(
  all: AsyncIterable<T>,
  given: string,
  { kind, list, create }: Kind,
): Promise<T> {
  const wanted = given.toLowerCase();
  const named: T[] = [];
  for await (const each of all) {
    if (each.id.toLowerCase() === wanted) return each;
    if (each.name.toLowerCase() === wanted) named.push(each);
  }
  const [only] = named;
  if (only !== undefined && named.length === 1) return only;
  const isUnknown = only === undefined;
  throw new CliError({
    message: isUnknown ? `We couldn’t find the ${kind} “${given}”.` : `Several ${kind}s are named “${given}”.`,
    code: isUnknown ? 'not_found' : 'ambiguous',
    exitCode: isUnknown ? EXIT.notFound : EXIT.usage,
    next: isUnknown && create !== undefined ? `${list}, or ${create}` : `Give its ID: ${list}`,
  });
}
