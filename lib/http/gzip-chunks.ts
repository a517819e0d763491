import { once } from 'node:events';
import { constants, createGzip, type Gzip } from 'node:zlib';

/**
 * Compresses a text while it is made, and no faster than the outcome is read. Each chunk is flushed, so that it goes out before
 * the next one is made.
 */
export async function* gzipChunks(chunks: AsyncIterator<string>): AsyncGenerator<Uint8Array, void> {
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
  const made: Uint8Array[] = [];
  gzip.on('data', (piece: Uint8Array) => made.push(piece));
  // The write that fails is told as well.
  gzip.on('error', () => undefined);
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      await write(gzip, next.value);
      yield* made.splice(0);
    }
    gzip.end();
    await once(gzip, 'end');
    yield* made;
  } finally {
    gzip.destroy();
    await chunks.return?.();
  }
}

function write(gzip: Gzip, chunk: string): Promise<void> {
  return new Promise((resolve, reject) => {
    gzip.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
