/**
 * The character classes that our schemas use, as ranges. Half a character (Cs) has none: JSON in UTF-8 cannot carry one, and
 * engines other than JavaScript's refuse it in a pattern.
 */
const RANGES: Record<string, string> = { Cc: '\\u0000-\\u001f\\u007f-\\u009f', Cs: '' };

/**
 * Returns the pattern without Unicode property escapes. Python's `re`, which generators of clients and tests use, has none.
 * @throws Error for a property that has no range here, or for a complement inside a class
 */
export function portablePattern(pattern: string): string {
  return pattern.replace(/\\([pP])\{(\w+)\}/g, (sequence, kind: string, property: string, at: number) => {
    const range = RANGES[property];
    const before = pattern.slice(0, at);
    const inClass = before.lastIndexOf('[') > before.lastIndexOf(']');
    if (range === undefined || (inClass && kind === 'P'))
      throw new Error(`${sequence} in ${pattern} has no portable form`);
    if (inClass) return range;
    return kind === 'P' ? `[^${range}]` : `[${range}]`;
  });
}
