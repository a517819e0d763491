/** What the reader has typed, by the name of the parameter. */
export type TypedValues = Readonly<Record<string, string>>;

/** Fills a path template, and adds the query parameters that have a value. */
export function buildPath(template: string, queryNames: readonly string[], values: TypedValues): string {
  const path = template.replace(/\{(\w+)\}/g, (_match, name: string) => encodePart((values[name] ?? '').trim()));
  const query = new URLSearchParams();
  for (const name of queryNames) if ((values[name] ?? '').trim() !== '') query.set(name, (values[name] ?? '').trim());
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** A browser would resolve "." and ".." to another path, also in percent-encoding. */
function encodePart(value: string): string {
  return /^\.{1,2}$/.test(value) ? '-' : encodeURIComponent(value);
}

/** Returns the names of path parameters without a value. */
export function missingNames(template: string, values: TypedValues): string[] {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.filter((name) => (values[name] ?? '').trim() === '');
}
