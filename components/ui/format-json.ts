const MAX_STRINGIFY_DEPTH = 1_000;
const MAX_INDENTED_DEPTH = 50;
const MAX_INDENTED_CHARS = 1_000_000;
const INDENT = 2;

/** Returns the nesting depth of a value, and how many characters indenting would add. */
function measure(value: unknown): { depth: number; indentChars: number } {
  let deepest = 0;
  let indentChars = 0;
  const open: [unknown, number][] = [[value, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [current, depth] = next;
    deepest = Math.max(deepest, depth);
    indentChars += depth * INDENT + 1;
    if (typeof current === 'object' && current !== null) {
      for (const child of Object.values(current)) open.push([child, depth + 1]);
    }
  }
  return { depth: deepest, indentChars };
}

/**
 * Formats JSON on one line. Describes values whose nesting would overflow the stack in JSON.stringify, so that no sender
 * can break the page of an event.
 */
export function compactJson(value: unknown): string {
  const { depth } = measure(value);
  return depth > MAX_STRINGIFY_DEPTH ? `(nested ${depth} levels deep, too deep to display)` : JSON.stringify(value);
}

/** Formats JSON with indentation, or on one line when indenting would multiply its size. */
export function prettyJson(value: unknown): string {
  const { depth, indentChars } = measure(value);
  const isSmall = depth <= MAX_INDENTED_DEPTH && indentChars <= MAX_INDENTED_CHARS;
  return isSmall ? JSON.stringify(value, null, INDENT) : compactJson(value);
}
