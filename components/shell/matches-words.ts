/**
 * Whether a name contains every typed word, in any case and order. Replaces the fuzzy match of cmdk, which also matches
 * scattered letters of ids.
 */
export function matchesWords(name: string, typed: string): boolean {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => name.toLowerCase().includes(word));
}
