export interface Selection {
  selected: ReadonlySet<string>;
  /** The row that was toggled last: a range starts there. */
  anchor: string | null;
}

/**
 * Selects a row, or removes it from the selection. With `withRange`, the rows between the anchor and this one become what this
 * one becomes.
 * @param ids the rows in their order
 */
export function toggleRow(
  { selected, anchor }: Selection,
  ids: readonly string[],
  id: string,
  withRange: boolean,
): Selection {
  const next = new Set(selected);
  const [start, end] = [ids.indexOf(anchor ?? ''), ids.indexOf(id)];
  const range = withRange && start !== -1 ? ids.slice(Math.min(start, end), Math.max(start, end) + 1) : [id];
  const isSelected = !selected.has(id);
  for (const each of range) {
    if (isSelected) next.add(each);
    else next.delete(each);
  }
  return { selected: next, anchor: id };
}
