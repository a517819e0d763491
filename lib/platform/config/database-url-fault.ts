import pg from 'pg';

/** Returns why pg cannot use a connection URL, such as a missing file in its query or a bad encoding; null if it can. */
export function findDatabaseUrlFault(text: string): string | null {
  try {
    new pg.Client({ connectionString: text });
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR'
      ? 'names a certificate or key that cannot be read'
      : 'is not a valid connection URL';
  }
}
