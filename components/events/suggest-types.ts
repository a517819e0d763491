import type { Suggestion } from '@/components/data-table/suggest-filter';
import { TYPE_PATTERN } from '@/lib/events/type-pattern-policy';

/** As many as fit on a screen without scrolling. */
const MAX_SUGGESTIONS = 8;

/** Returns what is wrong with an event type or pattern; undefined when nothing is. */
export function typeFault(typed: string): string | undefined {
  if (TYPE_PATTERN.test(typed)) return undefined;
  if (/^[A-Za-z0-9_.-]*\*$/.test(typed)) return 'Put a dot before the star, as in order.*';
  return 'Use letters, digits, dots, dashes and underscores, with .* at the end for a prefix.';
}

/** Returns the types that were seen and their prefixes that start with a text, shortest prefixes first. */
export function suggestTypes(seen: readonly string[], typed: string): Suggestion[] {
  const start = typed.replace(/\*$/, '').toLowerCase();
  const counts = new Map<string, number>();
  for (const type of seen) {
    for (let dot = type.indexOf('.'); dot !== -1; dot = type.indexOf('.', dot + 1)) {
      const prefix = `${type.slice(0, dot)}.*`;
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
  }
  const prefixes = [...counts].map(([value, count]) => ({ value, hint: `${count} ${count === 1 ? 'type' : 'types'}` }));
  const all: Suggestion[] = [
    ...prefixes.sort((a, b) => a.value.length - b.value.length),
    ...seen.map((value) => ({ value })),
  ];
  return all.filter(({ value }) => value.toLowerCase().startsWith(start) && value !== typed).slice(0, MAX_SUGGESTIONS);
}
