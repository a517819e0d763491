import { text } from '@/lib/cli/options';

/** The option that chooses events by their type. */
export const TYPE_FILTER = text('-t, --type <type>', `only events of this type, or of a pattern such as 'order.*'`);

export interface TypeFilter {
  /** For the API, which knows exact types. */
  query: { type?: string };
  /** Whether the rest must be filtered here. */
  isPattern: boolean;
  matches(type: string): boolean;
}

/** Returns the filter of a type or a pattern, which means what it does in a subscription. */
export function typeFilter(given: string | undefined): TypeFilter {
  if (given === undefined || given === '*') return { query: {}, isPattern: false, matches: () => true };
  if (!given.endsWith('.*')) return { query: { type: given }, isPattern: false, matches: (type) => type === given };
  const prefix = given.slice(0, -1);
  return { query: {}, isPattern: true, matches: (type) => type.startsWith(prefix) && type !== prefix };
}
