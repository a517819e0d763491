'use client';

import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** A list with fewer rows is rendered whole, so that the browser's own search finds every row. */
const WINDOWED_FROM = 300;
/** A row of one line on a wide screen: the estimate until a row is measured. */
const ROW_PX = 45;
/** Rows rendered above and below the screen, so that a fast scroll does not reach a gap. */
const MARGIN_ROWS = 30;

/** Rows that are rendered once to be measured when they are added to a list: two pages. */
const MOST_ADDED = 100;

/** A rendered row, or the height of the rows before `next` that are not rendered. */
type Part = { kind: 'row'; index: number } | { kind: 'gap'; next: number; heightPx: number };

/**
 * Renders only the rows of a long list that are near the screen, with gaps in place of the others, so that it scrolls and
 * grows as fast as a short one. The row with the focus stays rendered, and what is on the screen does not move
 * (docs/decisions/045-lists.md).
 *
 * @param count the number of rows
 * @param keyOf the id of a row by its index: its height belongs to it, also when rows are added before it
 * @returns `parts`: what to render; null for a short list, which is rendered whole. `measure`: the ref of each row, which needs
 *   `data-index` and, in a long list, `aria-rowindex`
 */
export function useRowWindow(count: number, keyOf: (index: number) => string) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [topPx, setTopPx] = useState(0);
  const [edge, setEdge] = useState<number>();
  const [measured, setMeasured] = useState(count);
  const isActive = count >= WINDOWED_FROM;
  const rangeExtractor = useCallback(
    (range: Range) => {
      const focused = indexWithFocus(body.current);
      // The arrow keys may move the focus to its neighbors.
      const kept = [edge, ...(focused === undefined ? [] : [focused - 1, focused, focused + 1])];
      const present = kept.filter((index) => index !== undefined && index >= 0 && index < range.count) as number[];
      // What stands below new rows must not move when they get near the screen.
      const added = Math.min(range.count - measured, MOST_ADDED);
      const fresh = Array.from({ length: Math.max(0, added) }, (_, n) => range.count - 1 - n);
      return [...new Set([...defaultRangeExtractor(range), ...present, ...fresh])].sort((a, b) => a - b);
    },
    [edge, measured],
  );
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count,
    getItemKey: keyOf,
    estimateSize: () => ROW_PX,
    overscan: MARGIN_ROWS,
    scrollMargin: topPx,
    rangeExtractor,
    // Not rounded: the rounding of thousands of rows would add up.
    measureElement: (row) => row.getBoundingClientRect().height,
  });

  useLayoutEffect(() => {
    if (!isActive || body.current === null) return;
    return freezeColumns(body.current);
  }, [isActive]);

  useLayoutEffect(() => setMeasured(count), [count]);

  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top;
    if (top !== undefined && Math.abs(top + window.scrollY - topPx) >= 1) setTopPx(top + window.scrollY);
  });

  /** Renders the first or last row at once, so that it can get the focus, and scrolls to it. @returns false for a short list */
  const showEdge = (at: 'start' | 'end') => {
    const index = at === 'start' ? 0 : count - 1;
    if (isActive) flushSync(() => setEdge(index));
    if (isActive) virtualizer.scrollToIndex(index);
    return isActive;
  };
  const parts = isActive ? partsOf(virtualizer.getVirtualItems(), topPx, virtualizer.getTotalSize()) : null;
  return { body, parts, measure: virtualizer.measureElement, showEdge };
}

function indexWithFocus(body: HTMLElement | null): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>('tr[data-index]') ?? null;
  return row !== null && body?.contains(row) ? Number(row.dataset.index) : undefined;
}

/** Returns the rendered rows in order, and a gap wherever others are left out. @param topPx where the first row starts */
export function partsOf(
  rows: readonly { index: number; start: number; end: number }[],
  topPx: number,
  totalPx: number,
): Part[] {
  const parts: Part[] = [];
  let endPx = topPx;
  for (const { index, start, end } of rows) {
    if (start > endPx) parts.push({ kind: 'gap', next: index, heightPx: start - endPx });
    parts.push({ kind: 'row', index });
    endPx = end;
  }
  if (topPx + totalPx > endPx) parts.push({ kind: 'gap', next: -1, heightPx: topPx + totalPx - endPx });
  return parts;
}

/**
 * Sets the current widths of a table's columns. Otherwise they depend on the rendered cells and change while a long list
 * scrolls. A column still grows for a longer word. When the window is resized, the widths are computed again.
 *
 * @param body the body of the table
 * @returns a function that removes the widths
 */
function freezeColumns(body: HTMLElement): () => void {
  const headers = [...(body.closest('table')?.querySelectorAll<HTMLElement>('thead th') ?? [])];
  const thaw = () => {
    for (const header of headers) header.style.width = '';
  };
  const freeze = () => {
    thaw();
    const widths = headers.map((header) => header.getBoundingClientRect().width);
    for (const [n, header] of headers.entries()) header.style.width = `${widths[n]}px`;
  };
  freeze();
  window.addEventListener('resize', freeze);
  return () => {
    window.removeEventListener('resize', freeze);
    thaw();
  };
}
