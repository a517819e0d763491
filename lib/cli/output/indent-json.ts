const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Removes the white space between the values of JSON, and changes nothing else. */
export function compactJson(json: string): string {
  return (json.match(TOKEN) ?? []).join('');
}

/**
 * Indents a JSON object or array; returns any other text as it is. It changes white space only: reading and writing the value would
 * round large numbers.
 */
export function indentJson(text: string): string {
  if (!isStructure(text)) return text;
  let [indented, depth] = ['', 0];
  const breakLine = () => {
    indented += `\n${'  '.repeat(depth)}`;
  };
  const tokens = text.match(TOKEN) ?? [];
  for (const [i, token] of tokens.entries()) {
    const isEmpty = /^[}\]]$/.test(tokens[i + 1] ?? '');
    if (/^[}\]]$/.test(token)) {
      depth -= 1;
      if (!/^[{[]$/.test(tokens[i - 1] ?? '')) breakLine();
    }
    indented += token === ':' ? ': ' : token;
    if (/^[{[]$/.test(token)) depth += 1;
    if (token === ',' || (/^[{[]$/.test(token) && !isEmpty)) breakLine();
  }
  return indented;
}

function isStructure(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
