export type Filters<Name extends string> = Record<Name, string | undefined>;

/** Reads the named filters of a query string; an empty one counts as absent. */
export function readFilters<Name extends string>(search: string, names: readonly Name[]): Filters<Name> {
  const params = new URLSearchParams(search);
  return Object.fromEntries(names.map((name) => [name, params.get(name) || undefined])) as Filters<Name>;
}

/** Counts the filters that are set. The start and the end of a time are one filter. */
export function countActive(filters: Record<string, string | undefined>): number {
  const set = Object.keys(filters).filter((name) => filters[name] !== undefined);
  return set.length - (set.includes('from') && set.includes('to') ? 1 : 0);
}

/** Returns the changed query string. Undefined and empty values remove a filter; other parameters stay. */
export function writeFilters(search: string, change: Record<string, string | undefined>): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    if (value) params.set(name, value);
    else params.delete(name);
  }
  return params.toString();
}

/** Appends the parameters that have a value to a path. */
export function withQuery(path: string, parameters: Record<string, string | number | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') params.set(name, String(value));
  }
  const query = params.toString();
  return query === '' ? path : `${path}?${query}`;
}

/**
 * Returns the filters without those that have a fault: a link with a malformed filter shows the list without it, and the
 * filter says what is wrong.
 */
export function dropFaulty<Query extends Record<string, string | undefined>>(
  query: Query,
  faults: { [Name in keyof Query]?: (value: string) => string | undefined },
): Query {
  const kept = Object.entries(query).filter(([name, value]) => value !== undefined && !faults[name]?.(value));
  return Object.fromEntries(kept) as Query;
}
