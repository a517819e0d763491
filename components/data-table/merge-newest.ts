/**
 * Lays the newest page of a list over the rows that are shown: their values are renewed where they stand, and what is
 * newer than all of them is kept apart. Ids are UUIDv7, so the greater id is the later row.
 */
export function mergeNewest<Row extends { id: string }>(
  shown: Row[] | undefined,
  head: Row[] | undefined,
): { rows: Row[] | undefined; newer: Row[] } {
  if (shown === undefined || head === undefined) return { rows: shown, newer: [] };
  const byId = new Map(head.map((row) => [row.id, row]));
  const newest = shown[0]?.id ?? '';
  return {
    rows: shown.map((row) => byId.get(row.id) ?? row),
    newer: head.filter((row) => row.id > newest),
  };
}
