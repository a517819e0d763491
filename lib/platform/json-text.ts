import { randomUUID } from 'node:crypto';

/** What stands for the texts until all else is written. A caller cannot know it. */
const MARK = randomUUID();
const MARKS = new RegExp(`"${MARK}(\\d+)"`, 'g');
let texts: string[] | null = null;

/** JSON in a value that `stringify` writes: it stays as it is, with the notation of its numbers. Elsewhere it is a string. */
class JsonText {
  constructor(readonly text: string) {}

  toJSON(): string {
    if (texts === null) return this.text;
    texts.push(this.text);
    return `${MARK}${texts.length - 1}`;
  }
}

/** Returns JSON as a value that `stringify` writes as it is. @param text of an object */
export function asJson<T = Record<string, unknown>>(text: string): T {
  return new JsonText(text) as T;
}

/** JSON.stringify that keeps what `asJson` made as it is. */
export function stringify(value: unknown): string {
  const found: string[] = [];
  texts = found;
  try {
    const json = JSON.stringify(value);
    return found.length === 0 ? json : json.replaceAll(MARKS, (_, index: string) => found[Number(index)] ?? '');
  } finally {
    texts = null;
  }
}
