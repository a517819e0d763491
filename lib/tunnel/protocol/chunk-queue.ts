/** Chunks below this size are copied together: a view of one byte would keep an entire read of the socket alive. */
const SMALL_BYTES = 4 * 1024;
const BLOCK_BYTES = 16 * 1024;

/** Chunks that wait for their reader. It uses about as much memory as it holds bytes, however small the chunks are. */
export class ChunkQueue {
  private chunks: Buffer[] = [];
  /** The block that small chunks are copied into; its filled part is not in `chunks` yet. */
  private block: Buffer | null = null;
  private filled = 0;
  private total = 0;

  get bytes(): number {
    return this.total;
  }

  add(chunk: Buffer): void {
    this.total += chunk.length;
    if (chunk.length >= SMALL_BYTES) {
      this.closeBlock();
      this.chunks.push(chunk);
      return;
    }
    if (this.block !== null && this.filled + chunk.length > this.block.length) this.closeBlock();
    this.block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.filled += chunk.copy(this.block, this.filled);
  }

  /** Returns the oldest bytes; undefined when there are none. */
  take(): Buffer | undefined {
    if (this.chunks.length === 0) this.closeBlock();
    const chunk = this.chunks.shift();
    this.total -= chunk?.length ?? 0;
    return chunk;
  }

  clear(): void {
    this.chunks = [];
    this.block = null;
    this.filled = 0;
    this.total = 0;
  }

  private closeBlock(): void {
    if (this.block === null) return;
    this.chunks.push(
      this.filled < SMALL_BYTES
        ? Buffer.from(this.block.subarray(0, this.filled))
        : this.block.subarray(0, this.filled),
    );
    this.block = null;
    this.filled = 0;
  }
}
