/** pg's own name for `require` without a certificate to check. */
const UNVERIFIED = 'no-verify';
/** `prefer` and `allow` fall back to plain text, which pg cannot do and nobody should want. */
const MODES: readonly string[] = ['disable', 'require', 'verify-ca', 'verify-full', UNVERIFIED];

/**
 * Returns a connection URL in which `sslmode` and `sslrootcert` mean to pg what they mean to libpq, and so to psql and pg_dump:
 * `require` encrypts and checks only a given `sslrootcert`, `verify-full` also checks the host name, and
 * `sslrootcert=system` stands for the certificates of Node.
 */
export function withLibpqMeaning(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const { mode, root } = readTls(url);
  if (url === null || (mode === null && root === null) || mode === UNVERIFIED) return text;
  if (root === 'system') url.searchParams.delete('sslrootcert');
  url.searchParams.set('sslmode', mode ?? 'verify-full');
  url.searchParams.set('uselibpqcompat', 'true');
  return url.href;
}

/** Returns what is wrong with the TLS settings of a connection URL; null when nothing is. */
export function findTlsFault(text: string): string | null {
  const { mode, root } = readTls(URL.canParse(text) ? new URL(text) : null);
  if (mode !== null && !MODES.includes(mode)) {
    return `has an unknown sslmode; it must be ${MODES.slice(0, -2).join(', ')} or ${MODES.at(-2)}`;
  }
  // Without the host name, anyone with a certificate of a public authority would pass. libpq refuses it too.
  if (root === 'system' && mode !== null && mode !== 'verify-full')
    return 'needs sslmode=verify-full for sslrootcert=system';
  return mode === 'verify-ca' && root === null ? 'needs sslrootcert for sslmode=verify-ca' : null;
}

function readTls(url: URL | null): { mode: string | null; root: string | null } {
  const [mode = null, root = null] = ['sslmode', 'sslrootcert'].map((name) => url?.searchParams.get(name) ?? null);
  return { mode, root };
}
