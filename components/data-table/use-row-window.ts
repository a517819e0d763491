'use client';

import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Rendered above and below the screen, so that a fast scroll does not reach a gap. */
const MARGIN_PX = 1_500;
/** A chunk that is lower than its estimate brings the next one near the screen, whose height may be unknown, too. */
const MOST_PASSES = 5;

/** The rendered chunks. Chunks after the known heights are new, and are rendered until the next update measures them. */
interface Shown {
  chunks: ReadonlySet<number>;
  /** The heights of the known chunks, in pixels. */
  heightsPx: readonly number[];
}
const NOTHING_KNOWN: Shown = { chunks: new Set(), heightsPx: [] };

/**
 * Renders only the rows of a long list that are near the screen, with gaps in place of the others, so that it scrolls and
 * grows as fast as a short one. The row with the focus stays rendered, and what is on the screen does not move
 * (docs/decisions/045-lists.md).
 *
 * The first row of each chunk needs `data-chunk` with its index, each row `aria-rowindex`, and each gap `data-gap`.
 *
 * @param count the number of rows
 * @returns `parts`: what to render; null for a short list, which is rendered whole
 */
export function useRowWindow(count: number) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [heights] = useState(() => new ChunkHeights());
  const [shown, setShown] = useState(NOTHING_KNOWN);
  const latest = useRef(shown);
  const isActive = count >= WINDOWED_FROM;
  const total = isActive ? Math.ceil(count / CHUNK_ROWS) : 0;

  const update = useCallback(() => {
    if (body.current === null || total === 0) return;
    const anchor = rowOnScreen(body.current);
    const from = anchor?.getBoundingClientRect().top ?? 0;
    for (let pass = 0; pass < MOST_PASSES; pass += 1) {
      const last = latest.current;
      heights.measure(body.current);
      const heightsPx = heights.list(total);
      // A gap on the page still has the height of the last render.
      const onPage = heightsPx.map((height, n) => (last.chunks.has(n) ? height : (last.heightsPx[n] ?? height)));
      const next = { chunks: chunksToShow(body.current, onPage), heightsPx };
      if (isSame(last, next)) break;
      latest.current = next;
      // At once: the reader may scroll before a scheduled render, and the correction below would take that back.
      flushSync(() => setShown(next));
      const movedPx = anchor?.isConnected ? anchor.getBoundingClientRect().top - from : 0;
      if (Math.abs(movedPx) >= 1) window.scrollBy({ top: movedPx, behavior: 'instant' });
    }
  }, [heights, total]);

  useLayoutEffect(() => {
    if (!isActive || body.current === null) return;
    return freezeColumns(body.current);
  }, [isActive]);

  useLayoutEffect(() => {
    // The last chunk may have had fewer rows.
    heights.forget(Math.max(0, total - 1));
    if (total === 0) {
      latest.current = NOTHING_KNOWN;
      setShown(NOTHING_KNOWN);
      return;
    }
    let frame = requestAnimationFrame(update);
    const onScroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(update);
    };
    const onResize = () => {
      heights.forget(0);
      onScroll();
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    window.addEventListener('resize', onResize);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', onScroll);
      window.removeEventListener('resize', onResize);
    };
  }, [heights, total, update]);

  /** Renders the first or last rows at once, so that they can get the focus. */
  const showEdge = (edge: 'start' | 'end') => {
    if (!isActive) return;
    const { chunks, heightsPx } = latest.current;
    latest.current = { chunks: new Set([...chunks, edge === 'start' ? 0 : total - 1]), heightsPx };
    flushSync(() => setShown(latest.current));
  };
  const isShown = (index: number) => index >= shown.heightsPx.length || shown.chunks.has(index);
  const all = Array.from({ length: total }, (_, index) => shown.heightsPx[index] ?? 0);
  const parts: Part[] | null = isActive ? partsOf(all, isShown) : null;
  return { body, parts, showEdge };
}

/** The chunks near the screen, and those around the row with the focus, to which the arrow keys may move it. */
function chunksToShow(body: HTMLElement, heightsPx: readonly number[]): Set<number> {
  const { top } = body.getBoundingClientRect();
  const chunks = chunksBetween(heightsPx, -top - MARGIN_PX, window.innerHeight - top + MARGIN_PX);
  const focused = rowWithFocus(body);
  if (focused !== null) {
    const index = Math.floor((Number(focused.ariaRowIndex) - 2) / CHUNK_ROWS);
    for (const near of [index - 1, index, index + 1]) if (near >= 0 && near < heightsPx.length) chunks.add(near);
  }
  return chunks;
}

/** The row that must not move: the one with the focus if it is on the screen, else the first one on it. */
function rowOnScreen(body: HTMLElement): HTMLElement | undefined {
  const isOnScreen = (row: HTMLElement) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
  };
  const focused = rowWithFocus(body);
  if (focused !== null && isOnScreen(focused)) return focused;
  return [...body.querySelectorAll<HTMLElement>(':scope > [aria-rowindex]')].find(isOnScreen);
}

function rowWithFocus(body: HTMLElement): HTMLElement | null {
  const row = document.activeElement?.closest<HTMLElement>('tr[aria-rowindex]') ?? null;
  return row !== null && body.contains(row) ? row : null;
}

function isSame(last: Shown, next: Shown): boolean {
  return (
    last.heightsPx.length === next.heightsPx.length &&
    last.heightsPx.every((height, n) => height === next.heightsPx[n]) &&
    last.chunks.size === next.chunks.size &&
    [...last.chunks].every((index) => next.chunks.has(index))
  );
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

/** The number of rows that are rendered or left out together: one page of a list. */
export const CHUNK_ROWS = 50;
/** A list with fewer rows is rendered whole, so that the browser's own search finds every row. */
const WINDOWED_FROM = 300;

/** A chunk that is rendered, or the space of chunks that are not. */
type Part = { kind: 'chunk'; index: number } | { kind: 'gap'; from: number; heightPx: number };

/** Returns the chunks between two heights of the list, in pixels from its top, or the nearest chunk when none is there. */
export function chunksBetween(heightsPx: readonly number[], fromPx: number, toPx: number): Set<number> {
  const found = new Set<number>();
  let top = 0;
  for (const [index, height] of heightsPx.entries()) {
    if (top < toPx && top + height > fromPx) found.add(index);
    top += height;
  }
  if (found.size === 0 && heightsPx.length > 0) found.add(fromPx >= top ? heightsPx.length - 1 : 0);
  return found;
}

/** Returns what to render: the shown chunks in order, and one gap for each run of the others. */
export function partsOf(heightsPx: readonly number[], isShown: (index: number) => boolean): Part[] {
  const parts: Part[] = [];
  for (const [index, heightPx] of heightsPx.entries()) {
    const last = parts.at(-1);
    if (isShown(index)) parts.push({ kind: 'chunk', index });
    else if (last?.kind === 'gap') last.heightPx += heightPx;
    else parts.push({ kind: 'gap', from: index, heightPx });
  }
  return parts;
}

/** A row of one line on a wide screen: the estimate until a chunk is measured. */
const ROW_PX = 45;

/** The heights of the chunks of a list: measured where a chunk was rendered, estimated where it was not. */
class ChunkHeights {
  #measured: (number | undefined)[] = [];
  /** Set by the first measured chunk only: a new estimate would move everything below the unmeasured chunks. */
  #estimate: number | undefined;

  /** Returns the height of each of so many chunks, in pixels. */
  list(chunks: number): number[] {
    return Array.from({ length: chunks }, (_, n) => this.#measured[n] ?? this.#estimate ?? CHUNK_ROWS * ROW_PX);
  }

  /** Measures the rendered chunks of a table's body that are not known. Each ends where the next chunk or gap starts. */
  measure(body: HTMLElement): void {
    const starts = [...body.querySelectorAll<HTMLElement>(':scope > [data-chunk], :scope > [data-gap]')];
    for (const [n, start] of starts.entries()) {
      const index = Number(start.dataset.chunk ?? Number.NaN);
      if (Number.isNaN(index) || this.#measured[index] !== undefined) continue;
      const end = starts[n + 1]?.getBoundingClientRect().top ?? body.getBoundingClientRect().bottom;
      this.#measured[index] = end - start.getBoundingClientRect().top;
      this.#estimate ??= this.#measured[index];
    }
  }

  /** Forgets the chunks from this one on: their rows changed. */
  forget(from: number): void {
    this.#measured.length = Math.min(this.#measured.length, from);
    if (from === 0) this.#estimate = undefined;
  }
}
