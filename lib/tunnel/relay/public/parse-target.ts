/** The target of a public request. */
export interface PublicTarget {
  token: string;
  /** `/t/` and the token, as the visitor wrote it. */
  prefix: string;
  /** Path and query below the token, byte for byte, starting with a slash. */
  path: string;
}

const TARGET = /^(\/t\/([^/?#]+))([^#]*)$/s;

/** Splits the target of a request to `/t/{token}/…`; null when there is no token. */
export function parseTarget(url: string): PublicTarget | null {
  const [, prefix, token, rest = ''] = TARGET.exec(url) ?? [];
  if (prefix === undefined || token === undefined) return null;
  return { token, prefix, path: rest.startsWith('/') ? rest : `/${rest}` };
}
