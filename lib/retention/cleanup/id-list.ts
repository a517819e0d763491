const UUID_LENGTH = 36;
/** Of an id with the brace or the comma before it. */
const STEP = 1 + UUID_LENGTH;

/**
 * Ids as PostgreSQL writes an array of them, to be handed on from one statement to the next: 100,000 are one string of 4 MB.
 * As an array of strings, each of which the driver reads, copies and quotes, they took 30 to 55 MB more.
 */
export class IdList {
  /** For a parameter of the type uuid[]. */
  readonly text: string;

  /** @param text an array of ids that PostgreSQL has written, without a null in it; null, as array_agg gives it, is none */
  constructor(text: string | null) {
    this.text = text ?? '{}';
  }

  get length(): number {
    return Math.floor(this.text.length / STEP);
  }

  /** Of a negative place from the end on. */
  at(place: number): string | undefined {
    const index = place < 0 ? this.length + place : place;
    if (index < 0 || index >= this.length) return undefined;
    return this.text.slice(1 + index * STEP, (1 + index) * STEP);
  }

  /** Those from one place up to, and without, another. */
  slice(from: number, to = this.length): IdList {
    return new IdList(`{${this.text.slice(1 + from * STEP, Math.min(to, this.length) * STEP)}}`);
  }

  /** The place of an id; -1: it is not there. */
  indexOf(id: string): number {
    return Math.floor(this.text.indexOf(id) / STEP);
  }
}
