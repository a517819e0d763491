import pg from 'pg';

/** Says why pg cannot use a connection URL, which names files in its query and may be badly encoded; null when it can. */
export function findDatabaseUrlFault(text: string): string | null {
  try {
    new pg.Client({ connectionString: text });
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR'
      ? 'names a certificate or key that cannot be read'
      : 'is not a connection URL that can be read';
  }
}
