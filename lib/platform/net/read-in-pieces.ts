import type { Readable } from 'node:stream';

/**
 * What a parser of responses gets at once. undici does not stop at headers that are too large before the end of what it was given, and
 * makes an error for each further one: a read of 64 KiB may have 16,000 of them, which take a second.
 */
export const PIECE_BYTES = 1024;

/** Lets a stream be read in small pieces, and not at all once it is destroyed. */
export function readInPieces<S extends Readable>(stream: S): S {
  const read = stream.read.bind(stream);
  stream.read = (size?: number) => {
    if (stream.destroyed) return null;
    const length = size ?? Math.min(stream.readableLength, PIECE_BYTES);
    return length === 0 ? read() : read(length);
  };
  return stream;
}
