const FOLD_BYTES = 4 * 1024 * 1024;
/** The end of what came, kept as text: more than the members behind the last list of an export take. */
const TAIL_BYTES = 1024;

export interface Collected {
  blob: Blob;
  bytes: number;
  /** The last kilobyte, as text. */
  tail: string;
}

/**
 * Reads a download into a Blob, telling after each piece how many bytes there are. Pieces are folded into the Blob as they
 * come: the browser keeps that out of the page's memory, and it is never there as one text.
 *
 * @throws whatever breaks the body off; nothing is kept then
 */
export async function collectBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onProgress: (bytes: number) => void,
): Promise<Collected> {
  const reader = body.getReader();
  let blob = new Blob();
  let loose: Uint8Array<ArrayBuffer>[] = [];
  let looseBytes = 0;
  const fold = () => {
    blob = new Blob([blob, ...loose]);
    loose = [];
    looseBytes = 0;
  };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    loose.push(value);
    looseBytes += value.byteLength;
    onProgress(blob.size + looseBytes);
    if (looseBytes >= FOLD_BYTES) fold();
  }
  fold();
  return { blob, bytes: blob.size, tail: await blob.slice(-TAIL_BYTES).text() };
}
