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

/** A row of one line on a wide screen: the estimate until a chunk is measured. */
const ROW_PX = 45;

/** The heights of the chunks of a list: measured where a chunk was rendered, estimated where it was not. */
export class ChunkHeights {
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
