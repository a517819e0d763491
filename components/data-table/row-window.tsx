'use client';

import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** A row without a height: the estimate until it is rendered. */
const ROW_PX = 45;
/** Rows rendered above and below the screen, so that a fast scroll does not reach a gap. */
const MARGIN_ROWS = 30;
/** Rows that are rendered once to be measured when they are added to a list: two pages. */
const MOST_ADDED = 100;

/** A rendered row, or the height of the rows before `next` that are not rendered. */
type Part = { kind: 'row'; id: string } | { kind: 'gap'; next: string; heightPx: number };

/** The part of a long list that is rendered. */
export interface Shown {
  parts: readonly Part[];
  /** The ref of each row, which needs its position from 0 as `data-index`. */
  measure: (row: HTMLTableRowElement | null) => void;
  /** Renders the first or last row at once, so that it can get the focus, and scrolls to it. */
  showEdge: (edge: 'start' | 'end') => void;
}

interface RowWindowProps {
  /** The body of the table, with all rows when this is mounted. */
  body: RefObject<HTMLTableSectionElement | null>;
  /** The ids of all rows: the height of a row belongs to it, also when rows are added before it. */
  ids: readonly string[];
  onChange: (shown: Shown | null) => void;
}

/**
 * Chooses the rows of a long list that are rendered: those near the screen, and the one with the focus. Renders nothing: it
 * tells the table, which keeps its rows, and so the focus, when it starts (docs/decisions/045-lists.md).
 */
export function RowWindow({ body, ids, onChange }: RowWindowProps): null {
  const count = ids.length;
  const [topPx, setTopPx] = useState(() => topOf(body.current));
  const [heightsPx] = useState(() => [...(body.current?.rows ?? [])].map(heightOf));
  const [edge, setEdge] = useState<number>();
  const [measured, setMeasured] = useState(count);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const focused = indexWithFocus(body.current);
      // The arrow keys may move the focus to its neighbors.
      const kept = [edge, ...(focused === undefined ? [] : [focused - 1, focused, focused + 1])];
      const present = kept.filter((index) => index !== undefined && index >= 0 && index < range.count) as number[];
      // What is below added rows must not move when they get near the screen.
      const added = Math.max(0, Math.min(range.count - measured, MOST_ADDED));
      const fresh = Array.from({ length: added }, (_, n) => range.count - 1 - n);
      return [...new Set([...defaultRangeExtractor(range), ...present, ...fresh])].sort((a, b) => a - b);
    },
    [body, edge, measured],
  );
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count,
    getItemKey: useCallback((index: number) => ids[index] ?? '', [ids]),
    estimateSize: (index) => heightsPx[index] ?? ROW_PX,
    overscan: MARGIN_ROWS,
    scrollMargin: topPx,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    rangeExtractor,
    measureElement: heightOf,
  });
  // The library does not by default while the reader scrolls up, and rows above may have other heights after a resize.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (row) => row.end <= (virtualizer.scrollOffset ?? 0);
  const measure = useCallback(
    (row: HTMLTableRowElement | null) => {
      virtualizer.measureElement(row);
      if (row === null || virtualizer.range === null) return;
      // The library measures later while the reader scrolls, and added rows are gone by then. They are below the screen.
      const index = virtualizer.indexFromElement(row);
      if (index > virtualizer.range.endIndex) virtualizer.resizeItem(index, heightOf(row));
    },
    [virtualizer],
  );
  const rows = virtualizer.getVirtualItems();
  const totalPx = virtualizer.getTotalSize();

  useLayoutEffect(() => {
    onChange({
      parts: partsOf(rows, topPx, totalPx),
      measure,
      showEdge: (at) => {
        const index = at === 'start' ? 0 : count - 1;
        flushSync(() => setEdge(index));
        virtualizer.scrollToIndex(index);
      },
    });
  }, [rows, topPx, totalPx, count, virtualizer, measure, onChange]);
  useLayoutEffect(() => () => onChange(null), [onChange]);
  useLayoutEffect(() => (body.current === null ? undefined : freezeColumns(body.current)), [body]);
  useLayoutEffect(() => setMeasured(count), [count]);
  useLayoutEffect(() => {
    const top = topOf(body.current);
    if (Math.abs(top - topPx) >= 1) setTopPx(top);
  });
  return null;
}

/** The distance from the top of the page, in pixels. */
function topOf(body: HTMLElement | null): number {
  return body === null ? 0 : body.getBoundingClientRect().top + window.scrollY;
}

/** Not rounded: the rounding of thousands of rows would add up. */
function heightOf(row: HTMLElement): number {
  return row.getBoundingClientRect().height;
}

function indexWithFocus(body: HTMLElement | null): number | undefined {
  const row = document.activeElement?.closest<HTMLTableRowElement>('tr') ?? null;
  if (row === null || !body?.contains(row)) return undefined;
  // Rows get their index with the first part that is chosen; until then all are rendered.
  return Number(row.dataset.index ?? row.sectionRowIndex);
}

/** Returns the rendered rows in order, and a gap wherever others are left out. @param topPx where the first row starts */
export function partsOf(
  rows: readonly { key: unknown; start: number; end: number }[],
  topPx: number,
  totalPx: number,
): Part[] {
  const parts: Part[] = [];
  let endPx = topPx;
  for (const { key, start, end } of rows) {
    const id = String(key);
    if (start > endPx) parts.push({ kind: 'gap', next: id, heightPx: start - endPx });
    parts.push({ kind: 'row', id });
    endPx = end;
  }
  if (topPx + totalPx > endPx) parts.push({ kind: 'gap', next: '', heightPx: topPx + totalPx - endPx });
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
