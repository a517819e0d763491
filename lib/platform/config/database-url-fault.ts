import { X509Certificate } from 'node:crypto';
import pg from 'pg';
import { findTlsFault, withLibpqMeaning } from './database-url';

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
