import { CHUNK_ROWS } from './window-rows';

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
