import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { PIECE_BYTES, readInPieces } from './slice-reads';

/** A stream that has read some bytes, and then perhaps ends. */
function makeStream(bytes: number, ends = true): Duplex {
  const stream = readInPieces(new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }));
  stream.push(Buffer.alloc(bytes, 'x'));
  if (ends) stream.push(null);
  return stream;
}

function readAll(stream: Duplex): number[] {
  const sizes: number[] = [];
  for (let piece = stream.read() as Buffer | null; piece !== null; piece = stream.read()) sizes.push(piece.length);
  return sizes;
}

describe('a stream that is read in pieces', () => {
  it('gives all that it has, and its end', async () => {
    const stream = makeStream(2.5 * PIECE_BYTES);
    const ended = new Promise((resolve) => stream.once('end', resolve));
    expect(readAll(stream)).toEqual([PIECE_BYTES, PIECE_BYTES, PIECE_BYTES / 2]);
    await ended;
  });

  it('gives as much as is asked for, and nothing that has not arrived', () => {
    const stream = makeStream(3 * PIECE_BYTES, false);
    expect((stream.read(2 * PIECE_BYTES) as Buffer).length).toBe(2 * PIECE_BYTES);
    expect(readAll(stream)).toEqual([PIECE_BYTES]);
    expect(stream.read()).toBeNull();
  });

  it('gives nothing once it is destroyed, though it has more', () => {
    const stream = makeStream(3 * PIECE_BYTES, false);
    stream.read();
    stream.destroy();
    expect(stream.read()).toBeNull();
  });
});
