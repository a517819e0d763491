import { damaged } from './manifest';

/** A file of an archive. */
export interface TarMember {
  name: string;
  data: Buffer;
}

const BLOCK = 512;
/** Above every member that is written here: a damaged header must not make the reader take any amount of memory. */
const MAX_MEMBER_BYTES = 64 * 1024 * 1024;
/** Two empty blocks end an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** Returns a member in the ustar format, which every tar reads, padded to blocks. Only the owner may read what it extracts. */
export function toTar({ name, data }: TarMember): Buffer {
  const header = Buffer.alloc(BLOCK);
  const put = (text: string, offset: number) => header.write(text, offset, 'latin1');
  put(name, 0);
  put('0000600\0', 100);
  put('0000000\0', 108);
  put('0000000\0', 116);
  put(`${data.length.toString(8).padStart(11, '0')}\0`, 124);
  put(`${'0'.repeat(11)}\0`, 136);
  put(' '.repeat(8), 148);
  put('0', 156);
  put('ustar\x0000', 257);
  put(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  const padding = Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK);
  return Buffer.concat([header, data, padding]);
}

/**
 * Reads the members of an archive, one after the other.
 * @throws BackupError when the archive is damaged or has no end
 */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarMember> {
  const reader = new BlockReader(chunks[Symbol.asyncIterator]());
  for (;;) {
    const header = await reader.read(BLOCK);
    if (header.every((byte) => byte === 0)) return reader.drain();
    const text = (start: number, end: number) => header.toString('latin1', start, end).replace(/\0.*$/s, '').trim();
    const size = Number.parseInt(text(124, 136), 8);
    const sum = Number.parseInt(text(148, 156), 8);
    header.fill(' ', 148, 156);
    if (sum !== sumOf(header) || !(size >= 0 && size <= MAX_MEMBER_BYTES)) throw damaged('a header has changed');
    const data = await reader.read(size);
    await reader.read((BLOCK - (size % BLOCK)) % BLOCK);
    yield { name: text(0, 100), data };
  }
}

function sumOf(header: Buffer): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}

class BlockReader {
  private parts: Buffer[] = [];
  private held = 0;

  constructor(private readonly chunks: AsyncIterator<Buffer>) {}

  async read(bytes: number): Promise<Buffer> {
    while (this.held < bytes) {
      const { done, value } = await this.chunks.next();
      if (done) throw damaged('it is cut off');
      this.parts.push(value);
      this.held += value.length;
    }
    const all = this.parts.length === 1 ? (this.parts[0] as Buffer) : Buffer.concat(this.parts);
    this.parts = [all.subarray(bytes)];
    this.held -= bytes;
    return all.subarray(0, bytes);
  }

  /** Reads to the end: only there does the decompression check its sum. */
  async drain(): Promise<void> {
    while (!(await this.chunks.next()).done);
  }
}
