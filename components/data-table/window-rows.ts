/** The number of rows that are rendered or left out together: one page of a list. */
export const CHUNK_ROWS = 50;
/** A list with fewer rows is rendered whole, so that the browser's own search finds every row. */
export const WINDOWED_FROM = 300;

/** A chunk that is rendered, or the space of chunks that are not. */
export type Part = { kind: 'chunk'; index: number } | { kind: 'gap'; from: number; heightPx: number };

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
