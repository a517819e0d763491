import type { IncomingMessage } from 'node:http';
import { AppError } from '@/lib/platform/errors';
import { type LargeBody, readInTurn } from './body-turns';
import { unfinishedBodies } from './unfinished-bodies';

function tooLarge(limitBytes: number): AppError {
  const limit = limitBytes >= 1024 * 1024 ? `${limitBytes / 1024 / 1024} MiB` : `${limitBytes / 1024} KiB`;
  // The rest of the body is never read, so the connection cannot carry another request.
  return new AppError('payload_too_large', `The body is larger than ${limit}.`, { headers: { Connection: 'close' } });
}

function declaredTooLarge(contentLength: string | null | undefined, limitBytes: number): boolean {
  return contentLength !== null && contentLength !== undefined && Number(contentLength) > limitBytes;
}

function aborted(): AppError {
  return new AppError('invalid_request', 'The connection closed before the body was complete.');
}

/** What is read of a body before it takes a turn. */
const FREE_BYTES = 64 * 1024;
/** A smaller chunk is copied: a list of small chunks takes many times their size. */
const KEPT_CHUNK_BYTES = 4 * 1024;
const MIN_BUFFER_BYTES = 1024;

/** A body as far as it has arrived: its large chunks as they came, and small ones in buffers that double. */
class ArrivingBody {
  private readonly parts: Uint8Array[] = [];
  /** Copies of small chunks that follow the last part. */
  private tail: Buffer = Buffer.alloc(0);
  private tailSize = 0;
  size = 0;

  constructor(private readonly limitBytes: number) {}

  /** @returns the bytes that it takes more than before. @throws AppError payload_too_large */
  add(chunk: Uint8Array): number {
    this.size += chunk.length;
    if (this.size > this.limitBytes) throw tooLarge(this.limitBytes);
    // Most bodies are one chunk, which is not copied.
    if (this.size === chunk.length || chunk.length >= KEPT_CHUNK_BYTES) {
      this.endTail();
      this.parts.push(chunk);
      return chunk.length;
    }
    const before = this.tail.length;
    const tailSize = this.tailSize + chunk.length;
    if (tailSize > before) {
      const larger = Buffer.allocUnsafeSlow(Math.max(MIN_BUFFER_BYTES, 2 * before, tailSize));
      this.tail.copy(larger, 0, 0, this.tailSize);
      this.tail = larger;
    }
    this.tail.set(chunk, this.tailSize);
    this.tailSize = tailSize;
    return this.tail.length - before;
  }

  private endTail(): void {
    if (this.tailSize > 0) this.parts.push(this.tail.subarray(0, this.tailSize));
    this.tail = Buffer.alloc(0);
    this.tailSize = 0;
  }

  get bytes(): Buffer {
    this.endTail();
    const [first, ...others] = this.parts;
    if (first === undefined || others.length > 0) return Buffer.concat(this.parts);
    return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  }
}

/**
 * Reads a node:http body of at most `limitBytes`.
 * @param network of the client, for the bound of all bodies
 * @param ownerId of the organization that the body is for, if it is known
 * @throws AppError payload_too_large, invalid_request, overloaded when other bodies need its memory
 */
export function readNodeBody(
  message: IncomingMessage,
  limitBytes: number,
  network: string,
  ownerId?: string,
): Promise<Buffer> {
  if (declaredTooLarge(message.headers['content-length'], limitBytes)) return Promise.reject(tooLarge(limitBytes));
  return new Promise((resolve, reject) => {
    const body = new ArrivingBody(limitBytes);
    const fail = (error: unknown) => {
      counted.leave();
      large?.end();
      message.pause();
      message.removeAllListeners('data');
      reject(error);
    };
    const counted = unfinishedBodies().enter(network, fail);
    let large: LargeBody | null = null;
    message.on('data', (chunk: Buffer) => {
      try {
        counted.add(body.add(chunk));
        if (body.size > FREE_BYTES) large ??= readInTurn(message, { network, ownerId }, () => body.size);
      } catch (error) {
        fail(error);
      }
    });
    message.on('end', () => {
      counted.leave();
      large?.end();
      resolve(body.bytes);
    });
    message.on('error', () => reject(aborted()));
    message.on('close', () => {
      counted.leave();
      large?.end();
      // Every message closes, so the error is created only when needed: its stack trace is expensive.
      if (!message.readableEnded) reject(aborted());
    });
  });
}

/** Reads the body of a web Request as `readNodeBody` does. */
export async function readWebBody(request: Request, limitBytes: number, network: string): Promise<Buffer> {
  if (declaredTooLarge(request.headers.get('content-length'), limitBytes)) throw tooLarge(limitBytes);
  if (request.body === null) return Buffer.alloc(0);
  const body = new ArrivingBody(limitBytes);
  const reader = request.body.getReader();
  let ended: AppError | null = null;
  const cancel = () => reader.cancel().catch(() => undefined);
  const counted = unfinishedBodies().enter(network, (error) => {
    ended = error;
    void cancel();
  });
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => Promise.reject(aborted()));
      if (ended !== null) throw ended;
      if (done) return body.bytes;
      counted.add(body.add(value));
    }
  } catch (error) {
    await cancel();
    throw error;
  } finally {
    counted.leave();
  }
}
