/**
 * Updates the shown rows in place from the newest page of a list, and returns rows newer than all of them separately.
 * Ids are UUIDv7, so a greater id is a later row.
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
