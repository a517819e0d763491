/** What decides over the removal of data: a misspelt one would be ignored, and the default remove what was to be kept. */
const GUARDED = /^(DATA_RETENTION_|OUTBOX_DEAD_|PARTITION_MAINTENANCE_)/;

/** What Kubernetes sets in every container beside a service that is called, say, data-retention. */
const OF_KUBERNETES = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?)?)$/;

/** Letters left out, added or replaced up to which a name passes for another that was mistyped. */
const MOST_EDITS = 2;

/** A name in the environment that is no variable, and the variables that may have been meant: one, or all there are. */
export interface MistypedName {
  name: string;
  meant: string[];
}

/**
 * The names in an environment that can only have been meant for this service's retention: those with a start of their own, and
 * those that differ from a variable by a slip. Further prefixes (`AUTH_`, `MAIL_`, …) are not ours alone: a host may set them for
 * other programs.
 *
 * @param known the names of all variables
 */
export function findMistypedNames(
  environment: Record<string, string | undefined>,
  known: readonly string[],
): MistypedName[] {
  const guarded = known.filter((name) => GUARDED.test(name));
  return Object.entries(environment).flatMap(([name, value]) => {
    if (known.includes(name) || value === undefined || value.trim() === '') return [];
    const upper = name.toUpperCase();
    // On Windows, whose environment has no case, it was read already.
    if (known.includes(upper) && environment[upper] === value) return [];
    const near = guarded.find((candidate) => isNear(upper, candidate));
    if (near !== undefined) return [{ name, meant: [near] }];
    return GUARDED.test(upper) && !OF_KUBERNETES.test(upper) ? [{ name, meant: guarded }] : [];
  });
}

function isNear(one: string, other: string): boolean {
  return Math.abs(one.length - other.length) <= MOST_EDITS && countEdits(one, other) <= MOST_EDITS;
}

/** The Levenshtein distance: row by row, the edits from the start of one up to here to each start of the other. */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, wanted] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
