'use client';

import { useCallback, useRef, useState } from 'react';

const NONE: Selection = { selected: new Set(), anchor: null };

/** Which rows are selected, and how that changes. The functions are stable, so that a change renders only the rows it changes. */
export interface RowSelection {
  selected: ReadonlySet<string>;
  /** Whether each loaded row is selected. */
  isAll: boolean;
  toggle: (id: string, withRange: boolean) => void;
  /** Selects each loaded row, or none if all are selected. */
  toggleAll: () => void;
  clear: () => void;
}

/**
 * Keeps which rows of a list are selected. Another list, with another `listKey`, starts without a selection.
 * @param ids the loaded rows, in their order
 */
export function useRowSelection(ids: readonly string[], listKey: string): RowSelection {
  const [state, setState] = useState({ listKey, ...NONE });
  const current = state.listKey === listKey ? state : NONE;
  const latest = useRef({ ids, listKey, current });
  latest.current = { ids, listKey, current };
  const set = useCallback((next: Selection) => setState({ listKey: latest.current.listKey, ...next }), []);
  const toggle = useCallback(
    (id: string, withRange: boolean) => set(toggleRow(latest.current.current, latest.current.ids, id, withRange)),
    [set],
  );
  const isAll = ids.length > 0 && ids.every((id) => current.selected.has(id));
  return {
    selected: current.selected,
    isAll,
    toggle,
    toggleAll: () => set(isAll ? NONE : { selected: new Set(ids), anchor: null }),
    clear: () => set(NONE),
  };
}

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
  const start = ids.indexOf(anchor ?? '');
  const end = ids.indexOf(id);
  const range = withRange && start !== -1 ? ids.slice(Math.min(start, end), Math.max(start, end) + 1) : [id];
  const isSelected = !selected.has(id);
  for (const each of range) {
    if (isSelected) next.add(each);
    else next.delete(each);
  }
  return { selected: next, anchor: id };
}
