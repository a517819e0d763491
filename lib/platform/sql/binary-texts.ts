/** pg_type.oid of text. */
const TEXT = 25;
/** The number of dimensions, whether there are nulls, the type of the elements, their number, and the index of the first. */
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

/**
 * Writes an array of texts in the binary form of PostgreSQL (array_recv). The driver writes the other form, and escapes each quote and
 * backslash: 400 responses full of them keep the thread busy for more than a second, these for some milliseconds.
 */
export function toBinaryTexts(texts: readonly (string | null)[]): Buffer {
  const lengths = texts.map((text) => (text === null ? NULL_LENGTH : Buffer.byteLength(text)));
  const size = lengths.reduce((sum, length) => sum + LENGTH_BYTES + Math.max(0, length), HEAD_BYTES);
  const array = Buffer.allocUnsafe(size);
  const head = texts.length === 0 ? [0, 0, TEXT] : [1, lengths.includes(NULL_LENGTH) ? 1 : 0, TEXT, texts.length, 1];
  let at = 0;
  for (const number of head) at = array.writeInt32BE(number, at);
  for (const [index, length] of lengths.entries()) {
    at = array.writeInt32BE(length, at);
    at += array.write(texts[index] ?? '', at);
  }
  return array.subarray(0, at);
}
