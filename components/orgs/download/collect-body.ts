const FOLD_BYTES = 4 * 1024 * 1024;
/** The end of the body, kept as text: enough for the members after the last list of an export. */
const TAIL_BYTES = 1024;

export interface Collected {
  blob: Blob;
  bytes: number;
  /** The last kilobyte, as text. */
  tail: string;
}

/**
 * Reads a download into a Blob and reports the bytes after each chunk. Chunks are moved into the Blob regularly, since
 * browsers keep Blobs out of the page's memory.
 *
 * @throws the error that interrupts the body
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
