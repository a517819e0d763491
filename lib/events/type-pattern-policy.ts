/**
 * Neither `.` nor `..`, which no path of a URL can have. Without a lookahead: it is in the OpenAPI document, and not all engines
 * have one.
 */
export const EVENT_TYPE = /^([A-Za-z0-9_.-]{3,128}|[A-Za-z0-9_-][A-Za-z0-9_.-]?|\.[A-Za-z0-9_-])$/;

/** An exact type, `order.*` for all types below `order.`, or `*` for all types. */
export const TYPE_PATTERN = /^([A-Za-z0-9_.-]{1,128}|[A-Za-z0-9_.-]{1,125}\.\*|\*)$/;

/** Returns the type that a pattern is, or how the types below it start; null for both matches every type. */
export function splitPattern(pattern: string): { exact: string | null; prefix: string | null } {
  if (pattern === '*') return { exact: null, prefix: null };
  return pattern.endsWith('.*') ? { exact: null, prefix: pattern.slice(0, -1) } : { exact: pattern, prefix: null };
}

/** Returns the patterns that a type matches: itself, `order.*` for each part before a dot, and `*`. */
export function patternsOf(type: string): string[] {
  const dots = [...type.matchAll(/\./g)].map(({ index }) => index);
  return [type, '*', ...dots.filter((dot) => dot > 0).map((dot) => `${type.slice(0, dot)}.*`)];
}
