import { X509Certificate } from 'node:crypto';
import pg from 'pg';

/** pg's own name for `require` without a certificate to check. */
const UNVERIFIED = 'no-verify';
/** `prefer` and `allow` fall back to plain text, which pg cannot do and nobody should want. */
const MODES: readonly string[] = ['disable', 'require', 'verify-ca', 'verify-full', UNVERIFIED];
/** pg reads these, and ignores every other name without a word. */
const TLS_NAMES: readonly string[] = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'];
/** Also the names of other drivers, and misspelt ones. */
const ABOUT_TLS = /ssl|tls/i;
/** pg takes every other value of `ssl` for false. */
const SSL_VALUES: readonly string[] = ['true', '1', 'false', '0'];

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
function findTlsFault(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const fault = url === null ? null : findIgnored(url);
  if (fault !== null) return fault;
  const { mode, root } = readTls(url);
  if (mode !== null && !MODES.includes(mode)) {
    return `has an unknown sslmode; it must be ${MODES.slice(0, -2).join(', ')} or ${MODES.at(-2)}`;
  }
  // Without the host name, anyone with a certificate of a public authority would pass. libpq refuses it too.
  if (root === 'system' && mode !== null && mode !== 'verify-full')
    return 'needs sslmode=verify-full for sslrootcert=system';
  return mode === 'verify-ca' && root === null ? 'needs sslrootcert for sslmode=verify-ca' : null;
}

/** Returns which TLS setting pg would ignore, and connect in plain text perhaps; null when it reads all. */
function findIgnored({ searchParams, pathname, hash }: URL): string | null {
  for (const name of new Set(searchParams.keys())) {
    if (!ABOUT_TLS.test(name)) continue;
    if (!TLS_NAMES.includes(name)) {
      const known = `${TLS_NAMES.slice(0, -1).join(', ')} and ${TLS_NAMES.at(-1)}`;
      return `has an unknown parameter ${encodeURIComponent(name)}; those about TLS are ${known}`;
    }
    if (searchParams.getAll(name).length > 1) return `has more than one ${name}`;
  }
  const ssl = searchParams.get('ssl');
  if (ssl !== null && !SSL_VALUES.includes(ssl)) return 'has an unknown ssl; use sslmode';
  const others = [pathname, hash, ...searchParams.values()];
  return others.some((part) => part.includes('sslmode=')) ? 'has sslmode outside of its parameters' : null;
}

function readTls(url: URL | null): { mode: string | null; root: string | null } {
  const [mode = null, root = null] = ['sslmode', 'sslrootcert'].map((name) => url?.searchParams.get(name) ?? null);
  return { mode, root };
}

/** Returns why pg cannot use a connection URL, such as a missing file in its query or a bad encoding; null if it can. */
export function findDatabaseUrlFault(text: string): string | null {
  const fault = findTlsFault(text);
  if (fault !== null) return fault;
  try {
    const { ssl } = new pg.Client({ connectionString: withLibpqMeaning(text) }) as unknown as { ssl: { ca?: string } };
    return ssl.ca === undefined || isCertificate(ssl.ca) ? null : 'names an sslrootcert that is no certificate in PEM';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR'
      ? 'names a certificate or key that cannot be read'
      : 'is not a valid connection URL';
  }
}

/** TLS ignores a text without a certificate, and then trusts no server. */
function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).ca !== undefined;
  } catch {
    return false;
  }
}
