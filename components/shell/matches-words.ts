/**
 * Whether a name holds every word that was typed, in any case and order. Not the fuzzy match of cmdk: to that one the
 * letters of an id are a name too, and its groups keep their order however bad the match.
 */
export function matchesWords(name: string, typed: string): boolean {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => name.toLowerCase().includes(word));
}
