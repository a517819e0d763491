/**
 * Updates the shown rows in place from the newest page of a list, and returns the rows that are missing among them
 * separately: later ones, and those that another process stored late or that came to match the filters.
 */
export function mergeNewest<Row extends { id: string }>(
  shown: Row[] | undefined,
  head: Row[] | undefined,
): { rows: Row[] | undefined; newer: Row[] } {
  if (shown === undefined || head === undefined) return { rows: shown, newer: [] };
  const byId = new Map(head.map((row) => [row.id, row]));
  const present = new Set(shown.map(({ id }) => id));
  // Ids are UUIDv7, so a row below the last shown one belongs to the next page.
  const last = shown.at(-1)?.id ?? '';
  return {
    rows: shown.map((row) => byId.get(row.id) ?? row),
    newer: head.filter((row) => row.id > last && !present.has(row.id)),
  };
}
