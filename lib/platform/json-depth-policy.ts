/**
 * Returns the nesting depth of a JSON value, and how many characters indenting would add at least: deep values with many elements
 * multiply.
 */
export function measureJson(value: unknown, indent: number): { depth: number; indentChars: number } {
  let deepest = 0;
  let indentChars = 0;
  const open: [unknown, number][] = [[value, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [current, depth] = next;
    deepest = Math.max(deepest, depth);
    indentChars += depth * indent + 1;
    if (typeof current === 'object' && current !== null) {
      for (const child of Object.values(current)) open.push([child, depth + 1]);
    }
  }
  return { depth: deepest, indentChars };
}
