/** Variables that decide what is deleted: if a misspelled one were ignored, its default could delete data to be kept. */
const GUARDED = /^(DATA_RETENTION_|OUTBOX_DEAD_|PARTITION_MAINTENANCE_)/;

/** Variables that Kubernetes sets in every container for a service, for example one named data-retention. */
const OF_KUBERNETES = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?)?)$/;

/** The maximum edit distance of a misspelled name. */
const MAX_EDITS = 2;

/** An unknown name, and the variables that may be meant: the similar one, or all guarded ones. */
interface MistypedName {
  name: string;
  meant: string[];
}

/**
 * Finds unknown names that can only be meant for the retention of this service: those with one of its prefixes, and those
 * that differ from a variable by a typo. Other prefixes (`AUTH_`, `MAIL_`, …) are not checked: a host may set them for other
 * programs.
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
    // On Windows the environment ignores case, so the variable has already been read.
    if (known.includes(upper) && environment[upper] === value) return [];
    const near = guarded.find((candidate) => isNear(upper, candidate));
    if (near !== undefined) return [{ name, meant: [near] }];
    return GUARDED.test(upper) && !OF_KUBERNETES.test(upper) ? [{ name, meant: guarded }] : [];
  });
}

function isNear(one: string, other: string): boolean {
  return Math.abs(one.length - other.length) <= MAX_EDITS && countEdits(one, other) <= MAX_EDITS;
}

/** The Levenshtein distance, computed row by row. */
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
