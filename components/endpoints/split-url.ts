/** Splits a URL into its origin and the rest, as they are written. The rest of what is not a URL is empty. */
export function splitUrl(url: string): { origin: string; path: string } {
  const origin = /^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0] ?? url;
  return { origin, path: url.slice(origin.length) };
}
