const MAX_CHARS = 40;

/** Makes a file name for an export that fits into a header: lowercase ASCII letters, digits, dots and dashes only. */
export function exportFileName(organizationName: string, at: Date): string {
  const plain = organizationName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-');
  const stem = plain.slice(0, MAX_CHARS).replaceAll(/^-+|-+$/g, '');
  return `${stem === '' ? 'organization' : stem}-export-${at.toISOString().slice(0, 10)}.json`;
}
