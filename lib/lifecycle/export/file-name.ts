const MAX_CHARS = 40;

/** A name for the file of an export that can stand in a header: ASCII letters, digits, dots and dashes only. */
export function exportFileName(organizationName: string, at: Date): string {
  const plain = organizationName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-');
  const stem = plain.slice(0, MAX_CHARS).replaceAll(/^-+|-+$/g, '');
  return `${stem === '' ? 'organization' : stem}-export-${at.toISOString().slice(0, 10)}.json`;
}
