import { once } from 'node:events';
import { constants, createGzip, type Gzip } from 'node:zlib';

/**
 * Compresses chunks as they are produced, only as fast as the result is read. Each chunk is flushed, so that it is
 * sent before the next one is produced.
 */
export async function* gzipChunks(chunks: AsyncIterator<string | Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
  const made: Uint8Array[] = [];
  gzip.on('data', (piece: Uint8Array) => made.push(piece));
  // The failed write rejects too; without a listener the event would end the process.
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

function write(gzip: Gzip, chunk: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    gzip.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
