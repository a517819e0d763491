import type { IncomingMessage } from 'node:http';
import { AppError } from '@/lib/platform/errors';
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

/** A body as far as it has arrived: one buffer that doubles, since a list of small chunks takes many times their size. */
class ArrivingBody {
  private buffer: Buffer = Buffer.alloc(0);
  private size = 0;

  constructor(private readonly limitBytes: number) {}

  /** @returns the bytes that it takes more than before. @throws AppError payload_too_large */
  add(chunk: Uint8Array): number {
    const size = this.size + chunk.length;
    if (size > this.limitBytes) throw tooLarge(this.limitBytes);
    const before = this.buffer.length;
    if (this.size === 0) {
      // Most bodies are one chunk, which is not copied.
      this.buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    } else {
      if (size > this.buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(this.limitBytes, Math.max(size, 2 * this.buffer.length)));
        this.buffer.copy(larger, 0, 0, this.size);
        this.buffer = larger;
      }
      this.buffer.set(chunk, this.size);
    }
    this.size = size;
    return this.buffer.length - before;
  }

  get bytes(): Buffer {
    return this.buffer.subarray(0, this.size);
  }
}

/**
 * Reads a node:http body of at most `limitBytes`.
 * @param network of the client, for the bound of all bodies
 * @throws AppError payload_too_large, invalid_request, overloaded when other bodies need its memory
 */
export function readNodeBody(message: IncomingMessage, limitBytes: number, network: string): Promise<Buffer> {
  if (declaredTooLarge(message.headers['content-length'], limitBytes)) return Promise.reject(tooLarge(limitBytes));
  return new Promise((resolve, reject) => {
    const body = new ArrivingBody(limitBytes);
    const fail = (error: unknown) => {
      counted.leave();
      message.pause();
      message.removeAllListeners('data');
      reject(error);
    };
    const counted = unfinishedBodies().enter(network, fail);
    message.on('data', (chunk: Buffer) => {
      try {
        counted.add(body.add(chunk));
      } catch (error) {
        fail(error);
      }
    });
    message.on('end', () => {
      counted.leave();
      resolve(body.bytes);
    });
    message.on('error', () => reject(aborted()));
    message.on('close', () => {
      counted.leave();
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
