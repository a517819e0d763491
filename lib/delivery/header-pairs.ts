export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** Reads the headers that the ingress kept with an incoming event, with lower-case names; null if the text is damaged. */
export function headerPairs(text: string): HeaderPairs | null {
  try {
    const pairs: unknown = JSON.parse(text);
    return Array.isArray(pairs) && pairs.every(isPair) ? pairs : null;
  } catch {
    return null;
  }
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}
