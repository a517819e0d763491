const MAX_STRINGIFY_DEPTH = 1_000;
const MAX_INDENTED_DEPTH = 50;
const MAX_INDENTED_CHARS = 1_000_000;
const INDENT = 2;

/** How deep a value nests, and how many characters of white space indenting it would add. */
function measure(value: unknown): { depth: number; indentChars: number } {
  let [deepest, indentChars] = [0, 0];
  const open: [unknown, number][] = [[value, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [present, depth] = next;
    deepest = Math.max(deepest, depth);
    indentChars += depth * INDENT + 1;
    if (typeof present === 'object' && present !== null) {
      for (const child of Object.values(present)) open.push([child, depth + 1]);
    }
  }
  return { depth: deepest, indentChars };
}

/**
 * JSON on one line. What nests so deeply that JSON.stringify would overflow the stack is told instead of shown: a sender
 * must not be able to break the page of an event.
 */
export function compactJson(value: unknown): string {
  const { depth } = measure(value);
  return depth > MAX_STRINGIFY_DEPTH ? `(nested ${depth} levels deep, too deep to be shown)` : JSON.stringify(value);
}

/** JSON indented for reading, or on one line where indenting would multiply its size. */
export function prettyJson(value: unknown): string {
  const { depth, indentChars } = measure(value);
  const isSmall = depth <= MAX_INDENTED_DEPTH && indentChars <= MAX_INDENTED_CHARS;
  return isSmall ? JSON.stringify(value, null, INDENT) : compactJson(value);
}
