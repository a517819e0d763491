import type { RouteDefinition } from './route';

export const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Verb = (typeof VERBS)[number];
export type PathEntry = Partial<Record<Verb, RouteDefinition>>;
/** Path template → verb → definition: the list that both adapters, OpenAPI and the tests read. */
export type RouteTable = Record<string, PathEntry>;

export interface Match {
  route: string;
  entry: PathEntry;
  params: Record<string, string>;
}

interface Pattern {
  route: string;
  segments: string[];
  entry: PathEntry;
}

/**
 * Compiles a table into a function that finds the entry of a path. A literal segment has precedence over a parameter.
 *
 * @param subtrees prefix → entry that answers below the prefix where the table has no path
 */
export function toMatcher(table: RouteTable, subtrees: RouteTable = {}): (pathname: string) => Match | null {
  const byLength = new Map<number, Pattern[]>();
  for (const [route, entry] of Object.entries(table)) {
    const segments = route.split('/').slice(1);
    const patterns = byLength.get(segments.length) ?? [];
    patterns.push({ route, segments, entry });
    byLength.set(segments.length, patterns);
  }
  for (const patterns of byLength.values()) patterns.sort((a, b) => parameterCount(a) - parameterCount(b));
  return (pathname) => {
    const segments = pathname.split('/').slice(1);
    for (const pattern of byLength.get(segments.length) ?? []) {
      const params = matchSegments(pattern.segments, segments);
      if (params !== null) return { route: pattern.route, entry: pattern.entry, params };
    }
    const subtree = Object.entries(subtrees).find(([prefix]) => `${pathname}/`.startsWith(`${prefix}/`));
    return subtree === undefined ? null : { route: subtree[0], entry: subtree[1], params: {} };
  };
}

function parameterCount(pattern: Pattern): number {
  return pattern.segments.filter((segment) => segment.startsWith('{')).length;
}

function matchSegments(pattern: string[], segments: string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const given = segments[index] ?? '';
    if (!expected.startsWith('{')) {
      if (given !== expected) return null;
      continue;
    }
    const value = decode(given);
    if (value === null || value === '') return null;
    params[expected.slice(1, -1)] = value;
  }
  return params;
}

/** Returns null for an invalid percent-encoding, which matches no path. */
function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
